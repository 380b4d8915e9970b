"""Commands that run inside other commands: in wrappers, shells, interpreters and code."""
