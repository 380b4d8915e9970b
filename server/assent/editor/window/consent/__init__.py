"""What a workspace wishes for and a person agrees to, once and by its digest."""
