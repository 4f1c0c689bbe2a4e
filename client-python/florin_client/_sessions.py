"""Sessions: login sets the tokens of the client, and ending its session removes them."""

from __future__ import annotations

from typing import Unpack

from ._call import NOT_GIVEN, CallOptions, NotGiven, WriteOptions
from ._credentials import pick_tokens
from ._generated.resources import SessionsCalls
from ._generated.types import EndSessionResponse, LogInResponse, RefreshResponse


class Sessions(SessionsCalls):
    def log_in(
        self,
        *,
        email: str,
        password: str,
        code: str | NotGiven = NOT_GIVEN,
        **options: Unpack[CallOptions],
    ) -> LogInResponse:
        """Log in: `POST /v1/auth/login`. The client then acts as this user."""
        response = super().log_in(email=email, password=password, code=code, **options)
        self._transport.credentials.set(pick_tokens(response))
        return response

    def refresh(self) -> RefreshResponse:  # type: ignore[override]
        """Refresh the tokens: `POST /v1/auth/refresh`.

        The client does this automatically when a token has expired.
        """
        return self._transport.credentials.refresh()

    def end(
        self, *, session_id: str | NotGiven = NOT_GIVEN, **options: Unpack[WriteOptions]
    ) -> EndSessionResponse:
        """End a session: `DELETE /v1/auth/session`. Default: the session of this client."""
        credentials = self._transport.credentials
        session, tokens = credentials.session, credentials.tokens
        own_id = tokens.get("session_id") if tokens else None
        response = super().end(session_id=session_id, **options)
        is_own = session_id is NOT_GIVEN or session_id == own_id
        # A login meanwhile has started another session, which stays.
        if is_own and credentials.session == session:
            credentials.set(None)
        return response
