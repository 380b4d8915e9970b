"""The chats of a window: opened, spoken in, stopped and closed."""
