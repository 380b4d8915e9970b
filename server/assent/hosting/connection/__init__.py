"""The connection to an agent: its process, its session, and the messages of the protocol."""
