"""A browser for agents: how it is started, what each of its tools does, and what page it shows."""
