"""An agent's request for permission: read, compared with what then happens, and ruled on."""
