"""What can be run by its name with arguments of a known form: found by words, and known again."""
