"""Servers of tools as a window has them: started, logged in to, and what they ask."""
