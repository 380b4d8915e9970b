"""How tools are read whose words need more than a row; each by the name that its row gives."""
