#!/bin/sh
# Make the environment that the Makefile's targets run in, from nothing but a Python 3.11 or newer.
#
#   sh tools/setup.sh run   what a user needs
#   sh tools/setup.sh dev   that, and what the tests need
#
# VENV is the folder (default .venv), PYTHON the interpreter (default: the best one found). A stamp in the folder says
# which lock it was made from, so that a second call returns at once.
set -eu

group=$1
venv=${VENV:-.venv}
home=$venv/.stringless-home
stamp=$venv/.stringless-$group
lock=requirements/$group.txt

say() { echo "stringless: $*" >&2; }
fail() { say "$*"; exit 1; }

usable() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        usable "$PYTHON" || fail "PYTHON=$PYTHON is not a Python 3.11 or newer; give the path of one that is."
        echo "$PYTHON"
        return
    fi
    # 3.14 and later come last: not every program we compare with has wheels for them yet.
    for name in python3.13 python3.12 python3.11 python3.14 python3 python; do
        if usable "$name"; then echo "$name"; return; fi
    done
    fail "no Python 3.11 or newer found. Install one (Debian: sudo apt-get install python3 python3-venv;" \
        "macOS: brew install python) or name one: make PYTHON=/path/to/python3"
}

# A Debian without the package python3-venv has no pip to put into an environment. Fetch the wheel that Debian keeps
# for this very purpose; downloading and unpacking a package needs no rights.
add_pip() {
    fetched=$(mktemp -d)
    done=1
    if (cd "$fetched" && apt-get download python3-pip-whl && dpkg-deb -x ./*.deb .) >/dev/null 2>&1; then
        set -- "$fetched"/usr/share/python-wheels/pip-*.whl
        "$venv/bin/python" "$1/pip" install --quiet --no-index "$1" && done=0
    fi
    rm -rf "$fetched"
    return $done
}

create() {
    if [ -e "$venv" ] && [ ! -e "$home" ] && [ -n "$(ls -A "$venv")" ]; then
        fail "$venv exists and was not made by this script. Move it away, or name another folder: make VENV=folder"
    fi
    python=$(find_python)
    say "creating $venv with $("$python" --version)"
    rm -rf "$venv"
    mkdir -p "$venv"
    echo unfinished >"$home"
    if ! "$python" -m venv "$venv" >/dev/null 2>&1; then
        if ! { "$python" -m venv --without-pip "$venv" >/dev/null 2>&1 && add_pip; }; then
            fail "'$python -m venv' does not work here. On Debian or Ubuntu: sudo apt-get install python3-venv"
        fi
    fi
    pwd >"$home"
}

if [ "$(uname -s) $(uname -m)" = "Darwin x86_64" ]; then
    fail "numba is no longer built for Macs with Intel processors (or for Python under Rosetta):" \
        "stringless needs an arm64 Python here."
fi

wanted=$(cat pyproject.toml hatch_build.py "$lock" tools/setup.sh | cksum)
# An environment that was moved, or whose Python is gone, is made anew.
if [ "$(cat "$home" 2>/dev/null || true)" != "$(pwd)" ] || ! usable "$venv/bin/python"; then
    create
elif [ "$(cat "$stamp" 2>/dev/null || true)" = "$wanted" ]; then
    exit 0
fi

pip() { "$venv/bin/python" -m pip --disable-pip-version-check --no-input "$@"; }
quiet=
[ -t 1 ] || quiet="--quiet --quiet"
say "installing the packages of $lock (once, about a minute)"
# Only wheels: a package that would have to be compiled here is an error at once, not after ten minutes.
pip install $quiet --require-hashes --only-binary :all: -r "$lock"
say "building the studio's page (once, about a quarter of a minute)"
pip install --quiet --no-deps --no-build-isolation -e .
echo "$wanted" >"$stamp"
