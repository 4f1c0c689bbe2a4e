"""One API call, and the options that callers can set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO, Any, Literal, TypedDict
from urllib.parse import quote

from ._errors import FlorinError


class CallOptions(TypedDict, total=False):
    #: Maximum wait for each part of a response. Default: the client's `timeout_s`.
    timeout_s: float
    #: Maximum number of retries. Default: the client's `retries_max`.
    retries_max: int
    #: Called before each wait for a retry, and when a stream lost its connection.
    on_retry: Callable[[FlorinError], None]


class AccountCallOptions(CallOptions, total=False):
    #: The account to act for, as an admin or platform user. Sent as `Florin-Account`.
    account: str


class WriteOptions(CallOptions, total=False):
    #: Requests with the same key and body are applied once. By default every call gets a random
    #: key, which covers its retries. Set a key to also cover a restart of your program.
    idempotency_key: str


class AccountWriteOptions(AccountCallOptions, WriteOptions, total=False):
    pass


#: The options of any call.
Options = Mapping[str, Any]


class NotGiven:
    """The default of optional fields, because None means null."""

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


@dataclass(frozen=True)
class Call:
    method: str
    #: Starts with a slash; segments are already encoded.
    path: str
    query: Mapping[str, Any] | None = None
    body: Mapping[str, Any] | None = None
    #: Sent as application/octet-stream, instead of a body.
    file: bytes | None = None
    #: The type of a response that is a file.
    accept: str | None = None
    takes_token: bool = False
    takes_account: bool = False
    takes_idempotency_key: bool = False
    #: The field of an entry that `after` refers to. With `after`, a list is oldest first.
    after_field: Literal["id", "sequence"] | None = None
    #: False for health checks: callers need the first response, not one after retries.
    retryable: bool = True


def allowed_options(call: Call) -> set[str]:
    names = {"timeout_s", "retries_max", "on_retry"}
    if call.takes_account:
        names.add("account")
    if call.takes_idempotency_key:
        names.add("idempotency_key")
    return names


def without_not_given(fields: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (fields or {}).items() if value is not NOT_GIVEN}


#: The content of a file: bytes, or a file that was opened with mode "rb".
FileContent = bytes | bytearray | memoryview | IO[bytes]


def read_content(file: FileContent) -> bytes:
    """Reads the file before anything is sent, so that a retry sends the same bytes."""
    content = file if isinstance(file, bytes | bytearray | memoryview) else _read_all(file)
    return bytes(content)


def _read_all(file: IO[bytes]) -> bytes:
    # A string may be a path as well as the content, so it is neither.
    content = file.read() if hasattr(file, "read") else None
    if isinstance(content, bytes):
        return content
    got = type(file).__name__ if content is None else "a file in text mode"
    raise TypeError(
        f'"file" must be bytes, or a file opened with mode "rb"; got {got}. Nothing was sent.'
    )


def segment(name: str, value: str) -> str:
    """Encodes a path segment.

    An empty id, usually an unset variable, would request the list instead of one entry, and dots
    would change the path.
    """
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f'"{name}" must be an id; got {value!r}.')
    return quote(value, safe="")
