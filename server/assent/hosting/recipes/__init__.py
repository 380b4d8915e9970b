"""What is known of each agent, a module for each; `hosting/recipes/recipes` lists them all."""
