"""`python -m stringless`: the `stringless` command."""

from stringless.cli import main

if __name__ == "__main__":
    main()
