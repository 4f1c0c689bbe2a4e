"""The caller's credentials: an API key, or a session whose tokens are refreshed when they expire."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NotRequired, TypedDict

from ._errors import FlorinError
from ._generated.types import RefreshResponse


class Tokens(TypedDict):
    access_token: str
    #: Without it, the session ends when the access token expires.
    refresh_token: NotRequired[str]
    session_id: NotRequired[str]


#: Stores tokens between runs. A refresh token works once, so every new pair must be stored.
OnTokens = Callable[[Tokens | None], None]


class Credentials:
    """Safe for threads: concurrent requests share one refresh."""

    def __init__(
        self,
        api_key: str | None,
        tokens: Tokens | None,
        on_tokens: OnTokens | None,
        send_refresh: Callable[[str], RefreshResponse],
    ) -> None:
        if api_key is not None and tokens is not None:
            raise ValueError('Set "api_key" or "tokens", not both.')
        if api_key is not None:
            _require_secret("api_key", api_key)
        if tokens is not None:
            _require_secret("tokens.access_token", tokens["access_token"])
        self._api_key = api_key
        self._tokens = tokens
        self._on_tokens = on_tokens
        self._send_refresh = send_refresh
        # Number of the current session. Tokens may lack a `session_id`.
        self._session = 0
        self._ended: FlorinError | None = None
        self._lock = threading.RLock()

    @property
    def tokens(self) -> Tokens | None:
        return self._tokens

    @property
    def bearer(self) -> str | None:
        tokens = self._tokens
        return self._api_key or (tokens["access_token"] if tokens else None)

    @property
    def session(self) -> int | None:
        """Does not change when tokens are refreshed; None for an unauthenticated client."""
        with self._lock:
            return None if self.bearer is None else self._session

    def set(self, tokens: Tokens | None) -> None:
        if tokens is not None:
            if self._api_key is not None:
                raise ValueError('This client has an "api_key". Create another client to log in.')
            _require_secret("tokens.access_token", tokens["access_token"])
        with self._lock:
            if not _is_same_session(self._tokens, tokens):
                self._session += 1
            self._store(tokens)

    def bearer_of(self, session: int) -> str:
        """The current token of a session.

        A retry never runs unauthenticated or in another session: it would sign up a user, or make
        the change for another caller.
        """
        with self._lock:
            bearer = self.bearer
            if bearer is not None and self._session == session:
                return bearer
            if bearer is None and self._ended is not None:
                raise self._ended
        raise FlorinError(
            "unauthorized", "The client switched to another session before the response."
        )

    def replace(self, rejected: str) -> bool:
        """Whether to retry a request that was rejected with this token, with a new one."""
        with self._lock:
            if self._api_key is not None:
                return False
            # Another thread has refreshed the tokens, or ended the session.
            if self.bearer != rejected:
                return True
            if self._tokens is None or "refresh_token" not in self._tokens:
                return False
            self.refresh()
            return True

    def refresh(self) -> RefreshResponse:
        """Uses the refresh token, under a lock: using it twice would end the session."""
        with self._lock:
            refresh_token = self._tokens.get("refresh_token") if self._tokens else None
            if refresh_token is None:
                raise FlorinError("unauthorized", "There is no refresh token. Log in first.")
            try:
                response = self._send_refresh(refresh_token)
            except FlorinError as error:
                if error.code == "invalid_grant":
                    self._ended = error
                    self.set(None)
                raise
            self._store(pick_tokens(response))
            return response

    def _store(self, tokens: Tokens | None) -> None:
        self._tokens = tokens
        if self._on_tokens is not None:
            self._on_tokens(tokens)


def pick_tokens(response: RefreshResponse) -> Tokens:
    return {
        "access_token": response["access_token"],
        "refresh_token": response["refresh_token"],
        "session_id": response["session_id"],
    }


def _require_secret(name: str, secret: str) -> None:
    if not secret:
        raise ValueError(f'"{name}" is empty. Check that its environment variable is set.')


def _is_same_session(before: Tokens | None, after: Tokens | None) -> bool:
    if before is None or after is None:
        return before is after
    if before["access_token"] == after["access_token"]:
        return True
    return before.get("session_id") is not None and before.get("session_id") == after.get(
        "session_id"
    )
