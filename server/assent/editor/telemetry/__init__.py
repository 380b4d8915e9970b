"""What can be sent of calls to a collector of the person's own: counts, times, and nothing said."""
