from __future__ import annotations

import base64
import hashlib
import hmac
import http.server
import json
import os
import queue
import secrets
import threading
import time
import unittest
from typing import Any

from florin_client import FlorinError, WebhookEvent, verify_webhook
from tests.support import Owner, needs_florin


def new_secret() -> str:
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


body = json.dumps({"id": "evt_1", "type": "payment.succeeded", "data": {"id": "pay_1"}}).encode()


def sign(secret: str, content: bytes = body, *, age_s: int = 0) -> dict[str, str]:
    timestamp = str(int(time.time()) - age_s)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"evt_1.{timestamp}.".encode() + content
    signature = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": "evt_1",
        "webhook-timestamp": timestamp,
        "webhook-signature": f"v1,{signature}",
    }


class VerifyTest(unittest.TestCase):
    def assert_forged(self, *args: Any, **options: Any) -> None:
        with self.assertRaises(FlorinError) as caught:
            verify_webhook(*args, **options)
        self.assertEqual(caught.exception.code, "webhook_verification_failed")

    def test_accepts_text_bytes_and_any_case_of_headers(self) -> None:
        secret = new_secret()
        headers = sign(secret)
        for given in (body, body.decode(), bytearray(body)):
            self.assertEqual(verify_webhook(given, headers, secret)["id"], "evt_1")  # type: ignore[arg-type]
        loud = {name.title(): value for name, value in headers.items()}
        self.assertEqual(verify_webhook(body, loud, secret)["type"], "payment.succeeded")

    def test_accepts_either_signature_and_either_secret_during_a_rotation(self) -> None:
        old, new = new_secret(), new_secret()
        both = sign(old)
        both["webhook-signature"] += " v1a,AAAA " + sign(new)["webhook-signature"]
        for secret in (old, new, [new, old]):
            verify_webhook(body, both, secret)
        self.assert_forged(body, both, new_secret())
        self.assert_forged(body, both, [])

    def test_rejects_any_change_to_body_or_headers(self) -> None:
        secret = new_secret()
        headers = sign(secret)
        self.assert_forged(body + b" ", headers, secret)
        signature = headers["webhook-signature"]
        for name, value in (
            ("webhook-id", "evt_2"),
            ("webhook-id", ""),
            ("webhook-timestamp", str(int(headers["webhook-timestamp"]) - 1)),
            ("webhook-timestamp", "now"),
            ("webhook-timestamp", "1e9"),
            ("webhook-timestamp", "٣"),
            ("webhook-signature", signature.replace("v1,", "v2,")),
            ("webhook-signature", signature.removeprefix("v1,")),
            ("webhook-signature", "v1,"),
            ("webhook-signature", "v1,%%%"),
        ):
            self.assert_forged(body, {**headers, name: value}, secret)

    def test_rejects_a_timestamp_more_than_five_minutes_off(self) -> None:
        secret = new_secret()
        for age_s in (-290, 290):
            verify_webhook(body, sign(secret, age_s=age_s), secret)
        for age_s in (-310, 310):
            headers = sign(secret, age_s=age_s)
            self.assert_forged(body, headers, secret)
            verify_webhook(body, headers, secret, tolerance_s=600)

    def test_rejects_an_invalid_secret(self) -> None:
        for secret in ("", "whsec_", "whsec_%%%"):
            with self.assertRaisesRegex(ValueError, "A webhook secret must be"):
                verify_webhook(body, sign(new_secret()), secret)

    @unittest.skipUnless("FLORIN_TEST_WEBHOOK" in os.environ, "FLORIN_TEST_WEBHOOK is not set")
    def test_accepts_what_another_implementation_signed(self) -> None:
        given = json.loads(os.environ["FLORIN_TEST_WEBHOOK"])
        verify_webhook(given["body"], given["headers"], given["secret"])


@needs_florin
class DeliveryTest(unittest.TestCase):
    def test_verifies_a_delivery_of_florin(self) -> None:
        received: queue.Queue[WebhookEvent | FlorinError] = queue.Queue()
        secret = ""

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["content-length"]))
                try:
                    received.put(verify_webhook(content, dict(self.headers), secret))
                    self.send_response(204)
                except FlorinError as error:
                    received.put(error)
                    self.send_response(400)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        client = Owner().client
        endpoint = client.webhook_endpoints.create(
            url=f"http://127.0.0.1:{server.server_address[1]}/", events=["payment.*"]
        )
        secret = endpoint["secret"]
        client.webhook_endpoints.test(endpoint["id"])
        event = received.get(timeout=30)
        assert not isinstance(event, FlorinError), event
        assert event["type"] == "webhook_endpoint.test"
        self.assertEqual(event["data"]["id"], endpoint["id"])
