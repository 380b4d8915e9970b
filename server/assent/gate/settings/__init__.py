"""What the user wrote down, and what a workspace claims."""
