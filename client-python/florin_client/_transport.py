"""Sends calls: retries, token refresh, pagination and streams."""

from __future__ import annotations

import json
import re
import secrets
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast
from urllib.parse import urlencode

from ._call import Call, Options, allowed_options, without_not_given
from ._credentials import Credentials, OnTokens, Tokens
from ._errors import FlorinError, Response, error_of
from ._events import OpenStream, follow_events
from ._generated.types import FlorinEvent, RefreshResponse
from ._http import Connections, OpenResponse, Request
from ._outcome import Change, wait_before_retry
from ._pages import CursorPage, NumberedPage

Result = TypeVar("Result")


@dataclass(frozen=True)
class _Prepared:
    """A request that is built once: every attempt sends the same body and Idempotency-Key."""

    request: Request
    takes_token: bool
    #: The session of the first attempt. Retries never use another session or none.
    session: int | None
    is_change: bool


class Transport:
    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None,
        tokens: Tokens | None,
        on_tokens: OnTokens | None,
        account: str | None,
        timeout_s: float,
        retries_max: int,
        ssl_context: ssl.SSLContext | None,
    ) -> None:
        self._base_url = base_url
        self._account = account
        self._timeout_s = timeout_s
        self._retries_max = retries_max
        self._connections = Connections(ssl_context)
        self.credentials = Credentials(api_key, tokens, on_tokens, self._refresh)

    def close(self) -> None:
        self._connections.close()

    def raw(self, call: Call, options: Options) -> Response:
        return self._send(call, options, lambda response: response)

    def text(self, call: Call, options: Options) -> str:
        return self.raw(call, options).text

    def file(self, call: Call, options: Options) -> bytes:
        """A file. Another type, such as the page of a proxy, is an error."""

        def read(response: Response) -> bytes:
            if not response.headers.get("content-type", "").startswith(call.accept or ""):
                raise error_of(response)
            return response.body

        return self._send(call, options, read)

    def json(self, call: Call, options: Options) -> Any:
        return self._send(call, options, _parse)

    def cursor_page(self, call: Call, options: Options) -> CursorPage[Any]:
        return CursorPage(call, lambda query: self.json(replace(call, query=query), options))

    def numbered_page(self, call: Call, options: Options) -> NumberedPage[Any]:
        return NumberedPage(call, lambda query: self.json(replace(call, query=query), options))

    def stream(self, call: Call, options: Options) -> Iterator[FlorinEvent]:
        query = without_not_given(call.query)
        after = query.pop("after", None)
        newest = replace(call, path="/v1/events", query={"limit": 1})
        # Reconnections use the session of the first connection only.
        prepared = self._prepare(replace(call, query=query), options)

        def find_last_sequence() -> int:
            events = self.json(newest, options)["data"]
            return cast(int, events[0]["sequence"]) if events else 0

        def open_at(position: int, is_first: bool) -> OpenStream | None:
            # follow_events retries reconnections without a limit, so only the first is retried.
            retries = options if is_first else {**options, "retries_max": 0}
            return self._open(prepared, retries, position)

        return follow_events(
            after,
            find_last_sequence,
            open_at,
            on_retry=options.get("on_retry"),
            includes_account_closed=query.get("type") in (None, "account.*", "account.closed"),
        )

    def _refresh(self, refresh_token: str) -> RefreshResponse:
        """Never retried: the token works once, and a lost request may have used it."""
        call = Call("POST", "/v1/auth/refresh", body={"refresh_token": refresh_token})
        return cast(RefreshResponse, self.json(call, {}))

    def _send(self, call: Call, options: Options, read: Callable[[Response], Result]) -> Result:
        def attempt(request: Request) -> Result:
            response = self._connections.send(request)
            if not 200 <= response.status <= 299:
                raise error_of(response)
            return read(response)

        return self._send_tracked(self._prepare(call, options), options, attempt)

    def _open(self, prepared: _Prepared, options: Options, position: int) -> OpenStream | None:
        def attempt(request: Request) -> OpenResponse | None:
            headers = {
                **request.headers,
                "accept": "text/event-stream",
                "last-event-id": str(position),
            }
            response = self._connections.open(request._replace(headers=headers))
            if response.status == 200:
                return response
            try:
                complete = response.read_all(request.timeout_s)
            finally:
                response.close()
            # The account is closed, and all its events have been sent.
            if complete.status == 204:
                return None
            raise error_of(complete)

        return self._send_tracked(prepared, options, attempt)

    def _prepare(self, call: Call, options: Options) -> _Prepared:
        _reject_unknown(call, options)
        session = self.credentials.session
        # Florin stores responses only for authenticated callers, so without a session an
        # Idempotency-Key has no effect.
        keyed = call.takes_idempotency_key and session is not None
        account = options.get("account", self._account) if call.takes_account else None
        # Errors are JSON.
        headers = {"accept": ", ".join(filter(None, [call.accept, "application/json"]))}
        if account is not None:
            headers["florin-account"] = account
        if keyed:
            headers["idempotency-key"] = options.get("idempotency_key") or secrets.token_hex(16)
        body = call.file
        if body is not None:
            headers["content-type"] = "application/octet-stream"
        elif call.body is not None:
            headers["content-type"] = "application/json"
            # NaN and Infinity are not JSON; ValueError names them before anything is sent.
            text = json.dumps(without_not_given(call.body), allow_nan=False, ensure_ascii=False)
            body = text.encode()
        request = Request(
            call.method,
            f"{self._base_url}{call.path}{_print_query(without_not_given(call.query))}",
            headers,
            body,
            timeout_s=options.get("timeout_s", self._timeout_s),
            is_repeatable=call.retryable and (call.method == "GET" or keyed),
        )
        # Login and token refresh take no token; their unknown outcome does not matter.
        is_change = call.method != "GET" and call.takes_token
        return _Prepared(request, call.takes_token, session, is_change)

    def _send_tracked(
        self,
        prepared: _Prepared,
        options: Options,
        attempt: Callable[[Request], Result],
    ) -> Result:
        """A change that may have been applied is reported whatever error follows."""
        change = Change(prepared.request.headers.get("idempotency-key"))
        try:
            return self._send_with_retries(prepared, options, attempt, change)
        except FlorinError as error:
            if not prepared.is_change:
                raise
            described = change.describe(error)
            if described is error:
                raise
            raise described from error

    def _send_with_retries(
        self,
        prepared: _Prepared,
        options: Options,
        attempt: Callable[[Request], Result],
        change: Change,
    ) -> Result:
        """Retries transient errors, and refreshes an expired token once."""
        retries_max = options.get("retries_max", self._retries_max)
        on_retry = options.get("on_retry")
        refreshed = False
        failures = 0
        while True:
            bearer = None
            if prepared.takes_token and prepared.session is not None:
                bearer = self.credentials.bearer_of(prepared.session)
            try:
                return attempt(_authenticated(prepared.request, bearer))
            except FlorinError as error:
                change.note(error)
                if bearer is not None and not refreshed and _is_token_expired(error):
                    refreshed = True
                    if self.credentials.replace(bearer):
                        continue
                    raise
                failures += 1
                wait_s = wait_before_retry(error, failures)
                is_last = not prepared.request.is_repeatable or failures > retries_max
                if is_last or wait_s is None:
                    raise
                if on_retry is not None:
                    on_retry(error)
            time.sleep(wait_s)


def _reject_unknown(call: Call, options: Options) -> None:
    """A misspelled filter would list everything."""
    for name in options:
        if name not in allowed_options(call):
            raise TypeError(
                f'"{name}" is not an argument of {call.method} {call.path}. Nothing was sent.'
            )


def _authenticated(request: Request, bearer: str | None) -> Request:
    authorization = {} if bearer is None else {"authorization": f"Bearer {bearer}"}
    headers = {**request.headers, **authorization}
    for name, value in headers.items():
        if not re.fullmatch(r"[\x20-\x7e]*", value):
            raise ValueError(
                f"The value of {name.title()} must be printable ASCII. Nothing was sent."
            )
    return request._replace(headers=headers)


def _is_token_expired(error: FlorinError) -> bool:
    """A 401 with a valid token means a missing permission or a wrong password."""
    return error.status == 401 and not error.token_is_valid


def _parse(response: Response) -> Any:
    try:
        return json.loads(response.body)
    except ValueError:
        raise error_of(response) from None


def _print_query(query: Mapping[str, Any]) -> str:
    if not query:
        return ""
    return "?" + urlencode({name: _print_value(value) for name, value in query.items()})


def _print_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
