"""What programs do with their words."""
