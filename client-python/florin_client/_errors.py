"""All errors are one class with a `code`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, Literal, NamedTuple, cast

from ._generated.types import ErrorCode

# Errors without a response from Florin. `connection_failed`: the connection failed or was lost.
# `timed_out`: no response within `timeout_s`. `unexpected_response`: the response is not from
# Florin but, for example, from a proxy. `webhook_verification_failed`: a webhook with an invalid
# signature or timestamp.
ClientErrorCode = Literal[
    "connection_failed", "timed_out", "unexpected_response", "webhook_verification_failed"
]


class FlorinError(Exception):
    """A request that failed. Decide by `code`; `message` is for people and may change."""

    def __init__(
        self,
        code: ErrorCode | ClientErrorCode,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        retry_after_s: float | None = None,
        token_is_valid: bool = False,
        lacks_permission: bool = False,
        outcome_unknown: bool = False,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        #: The HTTP status; None without a response.
        self.status = status
        #: Identifies the request in Florin's logs.
        self.request_id = request_id
        #: Seconds to wait before a retry, if the server sent Retry-After.
        self.retry_after_s = retry_after_s
        #: The token is valid; the request was rejected for another reason.
        self.token_is_valid = token_is_valid
        #: The token is valid but lacks permission.
        self.lacks_permission = lacks_permission
        #: The change may have been applied: check, or retry with `idempotency_key`. Always False
        #: for a read and for a login.
        self.outcome_unknown = outcome_unknown
        #: The key of the change that failed; None for a request without one.
        self.idempotency_key = idempotency_key

    @property
    def field(self) -> str | None:
        """The field that the message starts with, such as `amount`, to show the message there."""
        found = re.match(r'"([a-z][\w.]*)" ', self.message)
        return found[1] if found and self.status == 400 else None

    def __str__(self) -> str:
        request = f", {self.request_id}" if self.request_id else ""
        return f"{self.code} ({self.status or 'no response'}{request}): {self.message}"


class Response(NamedTuple):
    """A response with its complete body. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


def error_of(response: Response) -> FlorinError:
    """Turns an error response into a FlorinError."""
    challenge = re.search(r'\berror="?(\w+)', response.headers.get("www-authenticate", ""))
    code, text = _read_body(response.body)
    not_florin = (
        f"The response with status {response.status} is not from Florin. "
        'Check "base_url" and any proxy in between.'
    )
    return FlorinError(
        code,
        text if text is not None else not_florin,
        status=response.status,
        request_id=response.headers.get("request-id"),
        retry_after_s=_read_retry_after(response.headers.get("retry-after")),
        # Florin sends no error code for an expired token.
        token_is_valid=challenge is not None and challenge[1] != "invalid_token",
        lacks_permission=challenge is not None and challenge[1] == "insufficient_scope",
    )


def _read_body(body: bytes) -> tuple[ErrorCode | ClientErrorCode, str | None]:
    try:
        found: Any = json.loads(body)
    except ValueError:
        found = None
    if isinstance(found, dict):
        error, message = found.get("error"), found.get("message")
        if isinstance(error, str) and isinstance(message, str):
            # A code of a newer server is still an error of Florin.
            return cast(ErrorCode, error), message
    return "unexpected_response", None


def _read_retry_after(text: str | None) -> float | None:
    """Florin sends seconds; a proxy may send a date."""
    if text is None:
        return None
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time())
    except ValueError:
        return None
