"""The gate's hook inside an agent, and the socket at which it asks."""
