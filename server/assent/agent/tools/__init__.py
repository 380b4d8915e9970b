"""What our own agent can do, one file for each tool. A tool does; it never decides whether."""
