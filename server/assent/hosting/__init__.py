"""Other people's agents, hosted over the Agent Client Protocol, and Eliza."""
