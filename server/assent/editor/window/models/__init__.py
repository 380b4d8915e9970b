"""The models that a person can choose, and how one is added."""
