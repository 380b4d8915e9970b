"""The package with one fault planted, many times over: each must be noticed by a test."""
