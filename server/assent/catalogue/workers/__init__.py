"""Programs of ours that offer nodes as servers of tools do: nodetool's, and a person's functions.

What they speak with, or run, is of others, so each is a process of its own below a keeper. The hub
takes what they say as it takes what any server says.
"""
