"""The gate's own premises: the files and folders that make it what it is."""
