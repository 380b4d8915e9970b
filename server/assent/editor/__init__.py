"""Everything an editor sees: the messages, the cards, and one folder per part of the window."""
