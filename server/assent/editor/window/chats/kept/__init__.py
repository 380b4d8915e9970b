"""The chats that last: listed, opened again, rewound, renamed and exported."""
