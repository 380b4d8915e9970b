"""From a call to what is written down about it; usable without an editor."""
