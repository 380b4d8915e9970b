"""The command `assent`: one module for each word after it."""
