"""Questions to a person: the tickets, the desk that settles them, the room where askers wait."""
