"""What the journal says in numbers, for the person who wants to see their week."""
