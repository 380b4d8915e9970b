"""Where an agent comes from: the registry, the PATH, and how a person logs in to it."""
