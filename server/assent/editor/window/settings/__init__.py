"""The settings of a window: read, read again when they change, and written."""
