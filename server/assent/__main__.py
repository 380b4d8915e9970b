"""`python -m assent` is `assent`."""

import sys

from assent.cli.main import main

__all__: list[str] = []

sys.exit(main())
