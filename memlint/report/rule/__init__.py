"""The page of a rule: in the terminal and as Markdown."""
