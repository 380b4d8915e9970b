"""What is known of each agent, a module for each; `acp/recipes` lists them all."""
