"""What an agent can find by name: servers of tools, nodes, workflows, documents, a browser."""
