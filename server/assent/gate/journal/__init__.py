"""What happened, in order: the ledger in memory, the journal on disk, the events that are shown."""
