"""Servers of the Model Context Protocol: a process that speaks with all of them, and its end here.

What a server wrote is parsed in that process, the hub, and nowhere else: what comes from it to
the gate is small, bounded and ours.
"""
