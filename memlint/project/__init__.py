"""The other modules of a project: where they are, their outlines, which files rules may concern."""
