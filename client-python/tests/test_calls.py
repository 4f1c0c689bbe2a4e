from __future__ import annotations

import http.server
import io
import secrets
import threading
import unittest
from typing import Any
from unittest import mock

from florin_client import FileContent, Florin, FlorinError
from tests.support import (
    LossyProxy,
    Owner,
    admin_token,
    closed_port,
    florin_url,
    needs_florin,
)


def setUpModule() -> None:
    # Retries wait before the next attempt, which these tests need not do.
    sleep = mock.patch("time.sleep")
    sleep.start()
    unittest.addModuleCleanup(sleep.stop)


@needs_florin
class CallTest(unittest.TestCase):
    owner: Owner
    key: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.owner = Owner()
        cls.key = cls.owner.new_key()

    def new_client(self, url: str = florin_url, **options: Any) -> Florin:
        client = Florin(url, api_key=self.key, **options)
        self.addCleanup(client.close)
        return client

    def pay(self, client: Florin, reference: str, **options: Any) -> str:
        transaction = client.transactions.create(
            account_id=self.owner.account_id,
            amount=7500,
            currency="USD",
            type="payment",
            reference=reference,
            **options,
        )
        return transaction["id"]

    def test_creates_gets_and_updates(self) -> None:
        client = self.new_client()
        payment = client.payments.create(
            account_id=self.owner.account_id,
            amount=7500,
            currency="USD",
            customer_email="ann@example.com",
            metadata={"order": "114", "note": "Grüße"},
        )
        self.assertEqual(payment["status"], "pending")
        self.assertIn("/pay/", payment["payment_url"])
        found = client.payments.get(payment["id"])
        self.assertEqual(found["metadata"], {"order": "114", "note": "Grüße"})
        # None is sent as null, and an argument that is not given is not sent.
        client.payments.update(payment["id"], cancel_url=None)
        self.assertEqual(client.payments.cancel(payment["id"])["status"], "canceled")

    def test_iterates_over_all_pages_in_both_directions(self) -> None:
        client = self.new_client()
        ids = [self.pay(client, f"page {number}") for number in range(5)]
        page = client.transactions.list(limit=2)
        self.assertEqual([len(page.data), page.has_more], [2, True])
        following = page.next_page()
        assert following is not None
        listed = [entry["id"] for entry in [*page.data, *following.data]]
        self.assertEqual(listed, ids[:0:-1])
        newest_first = [entry["id"] for entry in client.transactions.list(limit=2)]
        self.assertEqual(newest_first[:5], ids[::-1])
        later = client.transactions.list(limit=2, ending_before=ids[0])
        self.assertEqual([entry["id"] for entry in later], ids[1:])

    @unittest.skipUnless(admin_token, "FLORIN_ADMIN_TOKEN is not set")
    def test_numbered_pages(self) -> None:
        Owner()
        admin = Florin(florin_url, tokens={"access_token": admin_token})
        page = admin.accounts.list(limit=1)
        self.assertEqual([len(page.data), page.pagination["page"]], [1, 1])
        self.assertTrue(page.pagination["has_next"])
        listed = [account["id"] for account in page]
        self.assertIn(self.owner.account_id, listed)
        self.assertEqual(len(set(listed)), len(listed))
        # Users have `total_pages` instead.
        self.assertIn(self.owner.email, [user["email"] for user in admin.users.list(limit=1)])
        own = admin.account.get(account=self.owner.account_id)
        self.assertEqual(own["email"], self.owner.email)

    def test_statement_as_csv(self) -> None:
        self.assertTrue(self.new_client().account.get_statement_csv().startswith("sequence,"))

    def test_errors_have_code_status_field_and_request_id(self) -> None:
        client = self.new_client()
        with self.assertRaises(FlorinError) as caught:
            client.transactions.get("txn_01h455vb4pex5vsknk084sn02q")
        error = caught.exception
        self.assertEqual([error.code, error.status, error.field], ["not_found", 404, None])
        self.assertRegex(error.request_id or "", "^req_")
        with self.assertRaises(FlorinError) as caught:
            client.request("POST", "/v1/transactions", body={"amount": "7500"})
        self.assertEqual(caught.exception.code, "invalid_request")
        self.assertIsNotNone(caught.exception.field)
        self.assertFalse(caught.exception.outcome_unknown)
        with self.assertRaises(FlorinError) as caught:
            self.new_client().transactions.create(
                account_id=self.owner.account_id, amount=10**9, currency="USD", type="refund"
            )
        self.assertEqual(caught.exception.code, "insufficient_funds")
        self.assertIn("insufficient_funds (402, req_", str(caught.exception))

    def test_a_misspelled_argument_is_rejected_before_anything_is_sent(self) -> None:
        client = self.new_client()
        with self.assertRaisesRegex(TypeError, '"limt" is not an argument of GET /v1/payments'):
            client.payments.list(limt=1)  # type: ignore[call-arg]
        with self.assertRaisesRegex(ValueError, '"payment_id" must be an id'):
            client.payments.get("")
        with self.assertRaises(ValueError):
            self.pay(client, "nan", idempotency_key="a\nb")
        with self.assertRaises(ValueError):
            client.request("POST", "/v1/transactions", body={"amount": float("nan")})
        for url in ("", "pay.example.com", "ftp://pay.example.com"):
            with self.assertRaisesRegex(ValueError, '"base_url" must be a URL'):
                Florin(url)
        with self.assertRaisesRegex(ValueError, '"api_key" is empty'):
            Florin(florin_url, api_key="")

    def test_lost_responses_are_retried_with_one_key_and_one_effect(self) -> None:
        proxy = LossyProxy(self)
        proxy.lose = 2
        retried: list[str] = []
        client = self.new_client(proxy.url)
        made = self.pay(client, "lost", on_retry=lambda error: retried.append(error.code))
        self.assertEqual(retried, ["connection_failed"] * 2)
        self.assertEqual(len(proxy.keys()), 3)
        self.assertEqual(len(set(proxy.keys())), 1)
        found = [one["id"] for one in client.transactions.list() if one["reference"] == "lost"]
        self.assertEqual(found, [made])

    def test_reports_a_change_whose_outcome_is_unknown(self) -> None:
        proxy = LossyProxy(self)
        proxy.lose = 1
        client = self.new_client(proxy.url, retries_max=0)
        with self.assertRaises(FlorinError) as caught:
            self.pay(client, "unknown")
        error = caught.exception
        self.assertTrue(error.outcome_unknown)
        self.assertIn("may have been applied", error.message)
        assert error.idempotency_key is not None
        made = self.pay(client, "unknown", idempotency_key=error.idempotency_key)
        found = [one["id"] for one in client.transactions.list() if one["reference"] == "unknown"]
        self.assertEqual(found, [made])

    def test_without_a_connection_nothing_was_sent(self) -> None:
        client = self.new_client(f"http://127.0.0.1:{closed_port()}", retries_max=1)
        with self.assertRaises(FlorinError) as caught:
            self.pay(client, "refused")
        self.assertEqual(caught.exception.code, "connection_failed")
        self.assertFalse(caught.exception.outcome_unknown)

    def test_requests_share_a_connection_and_survive_its_end(self) -> None:
        proxy = LossyProxy(self)
        client = self.new_client(proxy.url, retries_max=0)
        for _ in range(3):
            client.account.get_balance()
        self.assertEqual(proxy.connections, 1)
        client.close()
        client.account.get_balance()
        self.assertEqual(proxy.connections, 2)

    def test_an_account_option_names_the_account_to_act_on(self) -> None:
        with self.assertRaises(FlorinError) as caught:
            self.new_client().account.get(account="acct_01h455vb4pex5vsknk084sn02q")
        self.assertIn(caught.exception.status, (403, 404))

    def test_streams_events_in_order_and_reconnects(self) -> None:
        proxy = LossyProxy(self)
        writer, reader = self.new_client(), self.new_client(proxy.url)
        before = writer.events.list(limit=1).data[0]["sequence"]
        ids = [self.pay(writer, f"stream {number}") for number in range(3)]
        seen: list[str] = []
        # The first connection is cut when its first bytes arrive.
        proxy.lose = 1
        for event in reader.events.stream(after=before, type="transaction.created"):
            if event["type"] == "transaction.created":
                seen.append(event["data"]["id"])
            if len(seen) == len(ids):
                break
        self.assertEqual(seen, ids)
        self.assertEqual(proxy.connections, 2)


def statement() -> bytes:
    """A bank statement in MT940 with one entry."""
    reference = secrets.token_hex(6).upper()
    lines = [
        f":20:{reference}",
        ":25:DE89370400440532013000",
        ":28C:1/1",
        ":60F:C261116EUR0,00",
        f":61:2611171117C1,00NTRFNONREF//{reference}",
        ":86:Invoice",
        ":62F:C261117EUR1,00",
        "-",
    ]
    return "\r\n".join(lines).encode()


@unittest.skipUnless(florin_url and admin_token, "FLORIN_URL and FLORIN_ADMIN_TOKEN are not set")
class FileTest(unittest.TestCase):
    def new_admin(self, url: str = florin_url) -> Florin:
        admin = Florin(url, tokens={"access_token": admin_token})
        self.addCleanup(admin.close)
        return admin

    def test_imports_a_bank_statement_as_bytes_or_a_file(self) -> None:
        admin = self.new_admin()
        files: list[FileContent] = [
            statement(),
            bytearray(statement()),
            memoryview(statement()),
            io.BytesIO(statement()),
        ]
        for file in files:
            imported = admin.bank_statements.import_(file)
            self.assertEqual(imported["object"], "list")
            [found] = imported["data"]
            self.assertEqual([found["format"], found["new_count"]], ["mt940", 1])

    def test_a_retry_sends_the_same_file_with_the_same_key(self) -> None:
        proxy = LossyProxy(self)
        proxy.lose = 2
        imported = self.new_admin(proxy.url).bank_statements.import_(io.BytesIO(statement()))
        self.assertEqual([one["new_count"] for one in imported["data"]], [1])
        self.assertEqual([len(proxy.keys()), len(set(proxy.keys()))], [3, 1])

    def test_rejects_what_is_not_a_file_before_anything_is_sent(self) -> None:
        admin = self.new_admin()
        wrong: list[Any] = [None, "statement.sta", 5, io.StringIO("text")]
        for file in wrong:
            with self.assertRaisesRegex(TypeError, '"file" must be bytes, or a file opened'):
                admin.bank_statements.import_(file)

    def test_reports_a_rejected_file(self) -> None:
        with self.assertRaises(FlorinError) as caught:
            self.new_admin().bank_statements.import_(b"nothing")
        self.assertEqual(caught.exception.code, "invalid_request")
        with self.assertRaises(FlorinError) as caught:
            self.new_admin().bank_statements.import_(bytes(10 * 2**20 + 1))
        self.assertEqual(caught.exception.status, 413)

    def test_returns_documents_as_pdf(self) -> None:
        owner = Owner()
        payment = owner.client.payments.create(
            account_id=owner.account_id,
            amount=7500,
            currency="USD",
            customer_email="ann@example.com",
        )
        self.new_admin().payments.settle(payment["id"], outcome="succeeded")
        receipt = owner.client.payments.get_receipt(payment["id"])
        pdf = owner.client.payments.get_receipt_pdf(payment["id"], lang="de")
        self.assertTrue(pdf.startswith(b"%PDF-"))
        self.assertEqual(owner.client.documents.get_pdf(receipt["id"], lang="de"), pdf)
        journal = owner.client.account.get_journal(format="csv")
        self.assertIn("7500", journal.replace(".", ""))


@needs_florin
class SessionTest(unittest.TestCase):
    def test_refreshes_an_expired_token_once_for_all_threads(self) -> None:
        owner = Owner()
        stored: list[Any] = []
        tokens = owner.client.tokens
        assert tokens is not None
        expired = {**tokens, "access_token": f"fat_{'x' * 43}"}
        client = Florin(florin_url, tokens=expired, on_tokens=stored.append)  # type: ignore[arg-type]
        emails: list[str] = []
        threads = [
            threading.Thread(target=lambda: emails.append(client.account.get()["email"]))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(emails, [owner.email] * 4)
        self.assertEqual(len(stored), 1)
        self.assertEqual(client.tokens, stored[0])

    def test_ending_the_session_removes_the_tokens(self) -> None:
        client = Owner().client
        assert client.tokens is not None
        session_id = client.tokens.get("session_id")
        self.assertEqual(client.sessions.end()["session_id"], session_id)
        self.assertIsNone(client.tokens)
        with self.assertRaises(FlorinError) as caught:
            client.account.get()
        self.assertEqual(caught.exception.status, 401)

    def test_an_ended_session_fails_with_invalid_grant(self) -> None:
        owner = Owner()
        tokens = owner.client.tokens
        assert tokens is not None
        owner.client.sessions.end()
        stored: list[Any] = []
        client = Florin(florin_url, tokens=tokens, on_tokens=stored.append)
        with self.assertRaises(FlorinError) as caught:
            client.account.get()
        self.assertEqual(caught.exception.code, "invalid_grant")
        self.assertEqual(stored, [None])

    def test_a_wrong_password_is_not_retried(self) -> None:
        with self.assertRaises(FlorinError) as caught:
            Florin(florin_url).sessions.log_in(email="unknown@example.com", password="wrong horse")
        self.assertEqual(caught.exception.code, "invalid_credentials")


class OtherServerTest(unittest.TestCase):
    """Programs between the client and Florin."""

    def serve(self, status: int, body: bytes, **headers: str) -> tuple[str, list[str]]:
        paths: list[str] = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                paths.append(self.path)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}", paths

    def fail(self, url: str, **options: Any) -> FlorinError:  # type: ignore[override]
        with self.assertRaises(FlorinError) as caught:
            Florin(url, api_key="sk_sandbox_x").transactions.create(
                account_id="acct_1", amount=1, currency="USD", type="payment", **options
            )
        return caught.exception

    def test_retries_a_gateway_timeout_and_reports_an_unknown_outcome(self) -> None:
        url, paths = self.serve(504, b"<html>")
        error = self.fail(url)
        self.assertEqual([error.code, error.status], ["unexpected_response", 504])
        self.assertTrue(error.outcome_unknown)
        self.assertEqual(len(paths), 4)

    def test_does_not_wait_for_a_long_retry_after(self) -> None:
        body = b'{"error": "rate_limited", "message": "Wait."}'
        url, paths = self.serve(429, body, Retry_After="3600")
        error = self.fail(url)
        self.assertEqual([error.code, error.retry_after_s], ["rate_limited", 3600])
        self.assertFalse(error.outcome_unknown)
        self.assertEqual(len(paths), 1)

    def test_does_not_follow_a_redirect(self) -> None:
        url, paths = self.serve(302, b"", Location="/elsewhere")
        error = self.fail(url)
        self.assertEqual([error.code, error.outcome_unknown], ["unexpected_response", False])
        self.assertEqual(paths, ["/v1/transactions"])

    def test_a_page_of_a_proxy_is_not_a_pdf(self) -> None:
        url, _ = self.serve(200, b"<html>Log in</html>", Content_Type="text/html")
        with self.assertRaises(FlorinError) as caught:
            Florin(url, api_key="sk_sandbox_x").documents.get_pdf("doc_1")
        self.assertEqual(caught.exception.code, "unexpected_response")

    def test_a_success_that_is_not_from_florin_has_an_unknown_outcome(self) -> None:
        url, paths = self.serve(200, b"<html>Welcome</html>")
        self.assertTrue(self.fail(url).outcome_unknown)
        self.assertEqual(len(paths), 1)
