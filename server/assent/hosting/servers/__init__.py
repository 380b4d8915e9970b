"""Servers of tools that Assent hands to an agent, each call behind the gate."""
