"""Runs Eliza, so that `python -m assent.acp.eliza` is an agent."""

from assent.acp.eliza.agent import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
