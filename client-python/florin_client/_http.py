"""Sends one request over HTTP/1.1 with the standard library, and keeps connections open."""

from __future__ import annotations

import contextlib
import http.client
import selectors
import socket
import ssl
import threading
import weakref
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit

from ._errors import FlorinError, Response
from ._outcome import NotSent


class Request(NamedTuple):
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    #: Maximum wait for the connection, and then for each part of the response.
    timeout_s: float
    #: Whether the request is idempotent. Others use a new connection, because a server may close
    #: an idle one at the moment at which the request is sent.
    is_repeatable: bool


class Connections:
    """A pool of open connections to one server, safe for threads."""

    # More than a few idle connections are a burst that has ended.
    _idle_max = 10

    def __init__(self, ssl_context: ssl.SSLContext | None) -> None:
        self._ssl_context = ssl_context
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()
        # Closes the connections of a client that is no longer used.
        weakref.finalize(self, _close_all, self._idle)

    def send(self, request: Request) -> Response:
        connection = self._take(request)
        try:
            response = _exchange(connection, request)
            body = _read(response, request.timeout_s)
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._give(connection)
        return Response(response.status, _headers_of(response), body)

    def open(self, request: Request) -> OpenResponse:
        """Sends a request whose response is read while it arrives. The caller closes it."""
        connection = self._connect(request)
        sock = connection.sock
        try:
            return OpenResponse(_exchange(connection, request), connection, sock)
        except BaseException:
            connection.close()
            raise

    def close(self) -> None:
        with self._lock:
            _close_all(self._idle)

    def _take(self, request: Request) -> http.client.HTTPConnection:
        while request.is_repeatable:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                break
            if _is_usable(connection.sock):
                connection.sock.settimeout(request.timeout_s)
                return connection
            connection.close()
        return self._connect(request)

    def _give(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < self._idle_max:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self, request: Request) -> http.client.HTTPConnection:
        parts = urlsplit(request.url)
        host, port, timeout_s = parts.hostname or "", parts.port, request.timeout_s
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            context = self._ssl_context or ssl.create_default_context()
            connection = http.client.HTTPSConnection(host, port, timeout=timeout_s, context=context)
        else:
            connection = http.client.HTTPConnection(host, port, timeout=timeout_s)
        try:
            connection.connect()
        except OSError as error:
            connection.close()
            raise NotSent("connection_failed", _failed(error)) from error
        return connection


def _close_all(connections: list[http.client.HTTPConnection]) -> None:
    while connections:
        connections.pop().close()


class OpenResponse:
    """A response that is read line by line."""

    def __init__(
        self,
        response: http.client.HTTPResponse,
        connection: http.client.HTTPConnection,
        sock: socket.socket,
    ) -> None:
        self.status = response.status
        self._response = response
        self._connection = connection
        self._sock = sock

    def lines(self, timeout_s: float) -> Iterator[bytes]:
        """Returns the lines as they arrive. Raises if none arrives within `timeout_s`."""
        self._sock.settimeout(timeout_s)
        try:
            while line := self._response.readline():
                yield line
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise _lost(error, timeout_s) from error

    def read_all(self, timeout_s: float) -> Response:
        body = _read(self._response, timeout_s)
        return Response(self.status, _headers_of(self._response), body)

    def close(self) -> None:
        self._response.close()
        self._connection.close()


def _is_usable(sock: socket.socket | None) -> bool:
    """An idle connection that has something to read was closed by the server."""
    if sock is None:
        return False
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return not selector.select(0)


def _exchange(connection: http.client.HTTPConnection, request: Request) -> http.client.HTTPResponse:
    # Redirects are not followed: that could turn a POST into a GET or send the credentials to
    # another host.
    parts = urlsplit(request.url)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    try:
        # A server that rejects a large file closes the connection while the file is sent. Its
        # response has arrived by then.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.request(
                request.method, target, body=request.body, headers=dict(request.headers)
            )
        return connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        raise _lost(error, request.timeout_s) from error


def _read(response: http.client.HTTPResponse, timeout_s: float) -> bytes:
    try:
        return response.read()
    except (OSError, http.client.HTTPException) as error:
        raise _lost(error, timeout_s) from error


def _lost(error: Exception, timeout_s: float) -> FlorinError:
    if isinstance(error, TimeoutError):
        return FlorinError("timed_out", f"No response within {timeout_s:g} s.")
    return FlorinError("connection_failed", _failed(error))


def _failed(error: Exception) -> str:
    reason = str(error) or type(error).__name__
    return f'The connection to Florin failed: {reason}. Check "base_url" and the server.'


def _headers_of(response: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}
