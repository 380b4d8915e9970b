"""A text of the shell, read into the simple commands that it runs."""
