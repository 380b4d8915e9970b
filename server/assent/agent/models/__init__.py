"""Models that stream: one kind of event for all of them, and nothing heavy before it is needed."""
