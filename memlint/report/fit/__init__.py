"""The answer of `memlint fit`: for the terminal, as Markdown, as JSON."""
