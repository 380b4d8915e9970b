"""The only room that speaks LSP, and where the parts meet."""
