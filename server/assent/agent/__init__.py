"""Our own agent: its loop, its tools, the models that it asks and the chats that it keeps."""
