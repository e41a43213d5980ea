"""Reports of a replay: text, HTML, JSON, speedscope."""
