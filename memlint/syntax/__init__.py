"""The syntax tree and what needs nothing else: walking, spans, scopes, arguments of calls."""
