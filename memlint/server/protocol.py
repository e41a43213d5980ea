"""The protocol of the language server: that of pygls, with nothing kept of what has been handled."""

from __future__ import annotations

from typing import Any

from pygls.protocol import LanguageServerProtocol


class Protocol(LanguageServerProtocol):
    """The protocol of pygls, which forgets a notification once it has been handled.

    pygls (2.1.1) keeps the future of a message until its answer is sent. Notifications have no answer, nor
    has what a handler of pygls itself hands on, so their futures stayed for good: 1.3 KiB for each change of
    a document.
    """

    def _execute_handler(self, msg_id: Any, *args: Any, **kwargs: Any) -> None:
        super()._execute_handler(msg_id, *args, **kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))
