"""Collections of documents: cut into passages, and found by their words and by their meaning."""
