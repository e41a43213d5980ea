"""What the script writes stays in its scratch folder."""
