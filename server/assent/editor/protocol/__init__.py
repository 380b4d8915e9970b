"""The shapes on the wire, in one table."""
