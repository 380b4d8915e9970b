"""Collections of documents: built, searched and kept up to date."""
