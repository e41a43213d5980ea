"""`memlint server`, the language server: `serve` speaks the protocol, `opened` checks what an editor shows,
`convert` puts findings into the protocol's terms, `hints` reads measured bytes out of sessions.

https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/
"""
