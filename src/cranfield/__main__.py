"""`python -m cranfield`."""

from cranfield.cli.main import run

run()
