"""Looks at the disk on the way to a ruling, and no others."""
