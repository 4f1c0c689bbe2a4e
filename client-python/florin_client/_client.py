"""The client."""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self, Unpack
from urllib.parse import urlsplit

from ._call import AccountWriteOptions, Call
from ._credentials import OnTokens, Tokens
from ._errors import Response
from ._generated.resources import AllCalls
from ._sessions import Sessions
from ._transport import Transport


class Florin(AllCalls):
    """A client of one Florin server. It is safe for threads and keeps connections open.

    :param base_url: URL of the server, such as https://pay.example.com.
    :param api_key: The API key of a program.
    :param tokens: The tokens of a user, from an earlier `sessions.log_in`.
    :param on_tokens: Called with each new pair of tokens, and with None when the session ended.
    :param account: The account to act for, as an admin or platform user. Calls can override it.
    :param timeout_s: Maximum wait until a response starts, and then for each part of it.
    :param retries_max: Maximum number of retries of a call.
    :param ssl_context: Replaces the default context, for example to trust a private certificate.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        tokens: Tokens | None = None,
        on_tokens: OnTokens | None = None,
        account: str | None = None,
        timeout_s: float = 30,
        retries_max: int = 3,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        transport = Transport(
            _read_base_url(base_url),
            api_key=api_key,
            tokens=tokens,
            on_tokens=on_tokens,
            account=account,
            timeout_s=timeout_s,
            retries_max=retries_max,
            ssl_context=ssl_context,
        )
        super().__init__(transport)
        self._transport = transport
        self.sessions: Sessions = Sessions(transport)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        **options: Unpack[AccountWriteOptions],
    ) -> Response:
        """Sends a request to any path, for endpoints that have no method.

        It is authenticated, retried and made idempotent like every other call.
        """
        if not re.match(r"/[^/]", path):
            raise ValueError(f'"path" must be like /v1/payments; got "{path}".')
        call = Call(
            method,
            path,
            query,
            body,
            takes_token=True,
            takes_account=True,
            takes_idempotency_key=method != "GET",
        )
        return self._transport.raw(call, options)

    @property
    def tokens(self) -> Tokens | None:
        """The current tokens; None without a session."""
        return self._transport.credentials.tokens

    def use_tokens(self, tokens: Tokens | None) -> None:
        """Sets tokens from elsewhere, such as another process that refreshed them."""
        self._transport.credentials.set(tokens)

    def close(self) -> None:
        """Closes the open connections. The client can still be used."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _read_base_url(base_url: str) -> str:
    parts = urlsplit(base_url)
    if parts.scheme in ("http", "https") and parts.hostname:
        return base_url.rstrip("/")
    raise ValueError(f'"base_url" must be a URL such as https://pay.example.com; got "{base_url}".')
