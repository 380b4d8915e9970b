"""What a repository may bring that an agent would run, and whether a person agreed to it."""
