"""The `stringless` command.

Every failure ends with one message on stderr and a code other than zero. With `--json` stdout holds one JSON document
and nothing else, which has a key `error` when something failed.
"""

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        # Imported here, so that Ctrl-C during the imports ends as quietly as later on.
        from stringless.cli.app import run_guarded

        code = run_guarded(words)
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)
