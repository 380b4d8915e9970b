"""The chats that last: kept as they go, found again by whoever opens the same workspace."""
