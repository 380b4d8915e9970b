"""The record of what happened: listed, shown, exported and asked about again."""
