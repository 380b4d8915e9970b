"""A call, a verdict on it, and the life of a ticket."""
