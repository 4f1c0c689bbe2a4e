"""Verifies webhook signatures (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import time
from collections.abc import Iterable, Mapping
from typing import cast

from ._errors import FlorinError
from ._generated.types import WebhookEvent


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    tolerance_s: float = 300,
) -> WebhookEvent:
    """Returns the event if `body` was signed with the secret, or one of several.

    Raises a FlorinError `webhook_verification_failed` if no signature matches or if the timestamp
    differs from the local clock by more than `tolerance_s`, which limits how long a recorded
    webhook can be replayed. Pass the raw body: JSON that was parsed and serialized again has a
    different signature.
    """
    keys = [_read_secret(one) for one in ([secret] if isinstance(secret, str) else secret)]
    given = {name.lower(): value for name, value in headers.items()}
    webhook_id = _header(given, "webhook-id")
    timestamp = _header(given, "webhook-timestamp")
    signatures = _read_signatures(_header(given, "webhook-signature"))
    _require_recent(timestamp, tolerance_s)
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{webhook_id}.{timestamp}.".encode() + content
    expected = [hmac.digest(key, signed, "sha256") for key in keys]
    # Compares in constant time, and all pairs, so the duration does not depend on which matches.
    matches = [hmac.compare_digest(one, other) for one in expected for other in signatures]
    if not any(matches):
        raise _failed("No signature matches. Check the endpoint's secret, and pass the raw body.")
    return cast(WebhookEvent, json.loads(content))


def _failed(message: str) -> FlorinError:
    return FlorinError("webhook_verification_failed", message)


def _read_secret(secret: str) -> bytes:
    key = _decode(secret.removeprefix("whsec_"))
    if not key:
        raise ValueError('A webhook secret must be "whsec_" followed by base64.')
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise _failed(f'The header "{name}" is missing. Florin sends it with every webhook.')
    return value


def _read_signatures(text: str) -> list[bytes]:
    """Reads the v1 signatures from `v1,… v1,…`. There are two while a secret is rotated."""
    found = [_decode(one[3:]) for one in text.split(" ") if one.startswith("v1,")]
    return [one for one in found if one]


def _require_recent(timestamp: str, tolerance_s: float) -> None:
    is_number = re.fullmatch(r"[0-9]{1,12}", timestamp) is not None
    if is_number and abs(time.time() - int(timestamp)) <= tolerance_s:
        return
    raise _failed(
        f'"webhook-timestamp" must be within {tolerance_s:g} s of the local clock; '
        f'got "{timestamp}". The webhook may be replayed, or the clock may be wrong.'
    )


def _decode(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
