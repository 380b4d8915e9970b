"""What is allowed: facts about a call in, a ruling out."""
