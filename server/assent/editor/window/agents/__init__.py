"""The agents of a window: which there are, how one is added, and how a person logs in."""
