"""Our own agent as a window has it: its models, its memory, its guides and its tools."""
