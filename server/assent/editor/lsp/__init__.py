"""The only room that speaks LSP: the stream, its messages, and who is served."""
