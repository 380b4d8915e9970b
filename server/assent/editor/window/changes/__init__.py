"""What agents changed in files: shown as diffs, kept, undone and brought back."""
