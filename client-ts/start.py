#!/usr/bin/env python3
"""Runs Assent with the packages beside this file, before any that this Python has of its own.

It is copied to `bundled/start.py`, and started as `python -I -S -u start.py serve`. Its lines can
be read by any Python 3, so that an old one is told so in a sentence.
"""

# Old Pythons have to read this, and every start would wait for pathlib.
# ruff: noqa: PTH100, PTH118, PTH120, UP031, UP036

import os
import sys

if sys.version_info < (3, 11):
    sys.exit("Assent needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])

# A package of the same name elsewhere, of another version, would break ours.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs"))

from assent.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
