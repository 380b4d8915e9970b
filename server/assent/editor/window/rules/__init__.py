"""The person's rules: read, judged by, previewed and written."""
