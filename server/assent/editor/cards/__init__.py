"""The picture of a ticket, drawn from what was judged and from nothing else."""
