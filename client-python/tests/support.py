"""A Florin to test against, and a proxy that loses responses.

FLORIN_URL names a sandbox that the tests may fill with accounts. Without it they are skipped.
"""

from __future__ import annotations

import os
import secrets
import select
import socket
import socketserver
import threading
import unittest
from typing import Any
from urllib.parse import urlsplit

from florin_client import Florin

florin_url = os.environ.get("FLORIN_URL", "")

#: The access token of an admin.
admin_token = os.environ.get("FLORIN_ADMIN_TOKEN", "")

needs_florin = unittest.skipUnless(florin_url, "FLORIN_URL is not set")


class Owner:
    """A new account, and the login of its owner."""

    def __init__(self) -> None:
        self.email = f"python-{secrets.token_hex(8)}@example.com"
        self.password = secrets.token_hex(16)
        self.client = Florin(florin_url)
        self.account_id = self.client.accounts.create(
            email=self.email, password=self.password, name="Acme Ltd", type="business"
        )["id"]
        self.client.sessions.log_in(email=self.email, password=self.password)

    def new_key(self, *scopes: Any) -> str:
        return self.client.api_keys.create(name="test", scopes=list(scopes) or ["*"])["key"]


class LossyProxy:
    """Forwards to Florin. Cuts as many connections as `lose` when their response arrives."""

    def __init__(self, test: unittest.TestCase) -> None:
        self.lose = 0
        self.connections = 0
        self.requests: list[bytes] = []
        parts = urlsplit(florin_url)
        target = (parts.hostname or "", parts.port or 80)
        proxy = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                proxy.connections += 1
                with socket.create_connection(target) as upstream:
                    proxy._forward(self.request, upstream)

        server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        test.addCleanup(server.server_close)
        test.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_address[1]}"

    def _forward(self, client: socket.socket, upstream: socket.socket) -> None:
        while True:
            readable, _, _ = select.select([client, upstream], [], [])
            for source in readable:
                data = source.recv(65_536)
                if not data:
                    return
                if source is client:
                    self.requests.append(data)
                    upstream.sendall(data)
                elif self.lose > 0:
                    self.lose -= 1
                    return
                else:
                    client.sendall(data)

    def keys(self) -> list[str]:
        """The Idempotency-Key of each request."""
        lines = b"".join(self.requests).decode("latin-1").splitlines()
        prefix = "idempotency-key: "
        return [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]


def closed_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port
