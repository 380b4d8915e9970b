"""Rules that were written down: their notation, and finding those that are about something."""
