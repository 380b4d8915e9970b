"""What a command runs by the name of a task: scripts of npm, targets of make, recipes of just."""
