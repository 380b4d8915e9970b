"""Runs Eliza, so that `python -m assent.hosting.eliza` is an agent."""

from assent.hosting.eliza.agent import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
