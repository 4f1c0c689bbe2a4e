"""What a failed attempt proves about its change, and whether a retry may succeed.

The rules are those of client/src/outcome.ts.
"""

from __future__ import annotations

import random
from typing import Literal, NamedTuple

from ._errors import FlorinError

# not_sent: the request never reached a server. not_applied: this attempt had no effect, which
# proves nothing about earlier attempts. refused: neither this attempt nor an earlier one with the
# same Idempotency-Key had an effect. unknown: the change may have been applied.
Outcome = Literal["not_sent", "not_applied", "refused", "unknown"]


class Verdict(NamedTuple):
    outcome: Outcome
    #: Whether the same request may succeed later.
    is_transient: bool


class NotSent(FlorinError):
    """No connection was made, so nothing was sent."""


def verdict_of(error: FlorinError) -> Verdict:
    """What the error of one attempt proves. For a whole call, see its `outcome_unknown`."""
    code, status = error.code, error.status
    if code == "timed_out" or code == "connection_failed":
        return Verdict("not_sent" if isinstance(error, NotSent) else "unknown", True)
    # Errors of the client itself: a missing refresh token, a session that was replaced.
    if status is None:
        return Verdict("not_applied", False)
    # Florin returns 503 also if it cannot prove that a change was committed. A proxy returns 502 or
    # 504 after it forwarded a request and lost the response.
    if status >= 500:
        return Verdict("unknown", status in (502, 503, 504))
    # A success that is not from Florin: a proxy may have replaced the body.
    if status < 300:
        return Verdict("unknown", False)
    # 409: an earlier attempt with this key is in progress. 422: the key belongs to another request.
    if status == 429 or (code == "idempotency_conflict" and status == 409):
        return Verdict("not_applied", True)
    # Rejected before Florin looked at the key.
    if status == 401 or code == "unexpected_response":
        return Verdict("not_applied", False)
    # A 4xx about the request. If an earlier attempt had been applied, the Idempotency-Key would
    # have returned its stored response.
    return Verdict("refused", False)


# Two attempts within two seconds survive a server restart. Exponential backoff keeps many clients
# from overloading a server that starts.
_wait_min_s = 0.5
_wait_max_s = 8.0
# A longer Retry-After is not waited for; the error has `retry_after_s`.
_retry_after_max_s = 30.0


def backoff(failures: int) -> float:
    """Exponential backoff with jitter between 50 and 100 percent."""
    wait_s: float = min(_wait_max_s, _wait_min_s * 2 ** min(failures - 1, 10))
    return wait_s * random.uniform(0.5, 1)


def wait_before_retry(error: FlorinError, failures: int) -> float | None:
    """How long to wait before the next attempt; None for an error that is not transient."""
    retry_after_s = error.retry_after_s or 0.0
    if not verdict_of(error).is_transient or retry_after_s > _retry_after_max_s:
        return None
    return retry_after_s + backoff(failures)


class Change:
    """Collects over all attempts of a change whether it may have been applied."""

    def __init__(self, idempotency_key: str | None) -> None:
        self._idempotency_key = idempotency_key
        self._lost: FlorinError | None = None

    def note(self, error: FlorinError) -> None:
        if self._lost is None and verdict_of(error).outcome == "unknown":
            self._lost = error

    def describe(self, error: FlorinError) -> FlorinError:
        """Returns the error to raise, with what is known about the outcome."""
        error.idempotency_key = self._idempotency_key
        lost = self._lost
        if lost is None or verdict_of(error).outcome == "refused":
            return error
        # The error of a later attempt does not hide that the response to an earlier one is missing.
        hides = _is_response_missing(lost) and not _is_response_missing(error)
        shown = lost if hides and lost.code != error.code else error
        shown.outcome_unknown = True
        shown.idempotency_key = self._idempotency_key
        # Florin's own 5xx messages include the advice.
        if not _is_florin_fault(shown) and not shown.message.endswith(_warning):
            shown.message += _warning
        if shown is lost and shown is not error:
            shown.message += f" The next attempt failed with {error.code}: {error.message}"
            shown.__cause__ = error
        return shown


_warning = " The change may have been applied."


def _is_response_missing(error: FlorinError) -> bool:
    if error.code == "unexpected_response":
        return (error.status or 0) >= 500
    return error.code in ("connection_failed", "timed_out")


def _is_florin_fault(error: FlorinError) -> bool:
    return (error.status or 0) >= 500 and error.code != "unexpected_response"
