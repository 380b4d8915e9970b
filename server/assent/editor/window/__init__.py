"""What the messages do, and where the parts meet."""
