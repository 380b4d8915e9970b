"""Our own agent: the loop between a model and the gate. It decides nothing itself."""
