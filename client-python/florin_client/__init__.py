"""Python client for Florin, a self-hosted payments back end."""

from ._call import NOT_GIVEN, FileContent, NotGiven
from ._client import Florin
from ._credentials import Tokens
from ._errors import ClientErrorCode, FlorinError, Response
from ._generated.types import ErrorCode, FlorinEvent, WebhookEvent
from ._outcome import Outcome, Verdict, verdict_of
from ._pages import CursorPage, NumberedPage
from ._webhooks import verify_webhook

__version__ = "0.2.0"

__all__ = [
    "NOT_GIVEN",
    "ClientErrorCode",
    "CursorPage",
    "ErrorCode",
    "FileContent",
    "Florin",
    "FlorinError",
    "FlorinEvent",
    "NotGiven",
    "NumberedPage",
    "Outcome",
    "Response",
    "Tokens",
    "Verdict",
    "WebhookEvent",
    "verdict_of",
    "verify_webhook",
]
