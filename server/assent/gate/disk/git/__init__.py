"""The repository that git would find from a folder, and why it could make git run something."""
