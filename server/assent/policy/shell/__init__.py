"""Shell commands, read into what they would do."""
