"""Follows the events of an account, and reconnects after the last event."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Protocol, cast

from ._errors import FlorinError
from ._generated.types import FlorinEvent
from ._outcome import backoff, wait_before_retry


class OpenStream(Protocol):
    def lines(self, timeout_s: float) -> Iterator[bytes]: ...
    def close(self) -> None: ...


# The server sends a heartbeat every 15 seconds. After three missed ones the connection is dead.
_silence_max_s = 45.0


def follow_events(
    after: int | None,
    find_last_sequence: Callable[[], int],
    open_at: Callable[[int, bool], OpenStream | None],
    *,
    on_retry: Callable[[FlorinError], None] | None,
    includes_account_closed: bool,
) -> Iterator[FlorinEvent]:
    # Always starts from a number: otherwise a connection that is lost before its first event would
    # lose the events until the next connection.
    position = find_last_sequence() if after is None else after
    failures = 0
    is_first = True
    while True:
        try:
            stream = open_at(position, is_first)
            if stream is None:
                return
            is_first = False
            for sequence, event in _read_events(stream):
                # A stream starts with the requested number, which is not progress.
                if event is not None or sequence != position:
                    failures = 0
                position = sequence
                if event is None:
                    continue
                is_last = event["type"] == "account.closed"
                # The server sends account.closed at the end whatever the filter is.
                if not is_last or includes_account_closed:
                    yield event
                if is_last:
                    return
            failures += 1
            wait_s = backoff(failures)
        except FlorinError as error:
            failures += 1
            retry_wait_s = None if is_first else wait_before_retry(error, failures)
            if retry_wait_s is None:
                raise
            wait_s = retry_wait_s
            if on_retry is not None:
                on_retry(error)
        time.sleep(wait_s)


def _read_events(stream: OpenStream) -> Iterator[tuple[int, FlorinEvent | None]]:
    """Returns each event with its sequence number, and numbers that the filter skipped."""
    last_id = ""
    data: list[str] = []
    try:
        for line in stream.lines(_silence_max_s):
            text = line.decode().rstrip("\r\n")
            name, _, value = text.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                data.append(value)
            elif name == "id":
                last_id = value
            elif text == "" and data:
                event = _parse("\n".join(data))
                data = []
                yield event["sequence"], event
            elif text == "" and last_id.isdecimal():
                yield int(last_id), None
    finally:
        stream.close()


def _parse(text: str) -> FlorinEvent:
    try:
        return cast(FlorinEvent, json.loads(text))
    except ValueError:
        message = "The stream contains data that is not an event."
        raise FlorinError("unexpected_response", message) from None
