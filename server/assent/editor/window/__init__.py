"""What one window of an editor is made of, a folder for each concept; `server` builds them."""
