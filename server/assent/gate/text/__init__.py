"""Functions of a text, for every room."""
