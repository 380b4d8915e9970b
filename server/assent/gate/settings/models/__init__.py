"""A model as a setting names it: who hosts it, and where."""
