"""What a project can already do by name: the tasks that it has, and graphs of steps."""
