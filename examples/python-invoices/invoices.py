"""Requests a payment for each invoice of a CSV file, and waits until all are paid.

Run it again at any time: an invoice that was requested before is not requested twice.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from decimal import Decimal
from typing import NamedTuple

from florin_client import Florin, FlorinError
from florin_client.types import CreatedPayment


class Invoice(NamedTuple):
    number: str
    email: str
    cents: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="CSV file with the columns number, email and dollars")
    parser.add_argument("--wait", action="store_true", help="wait until all invoices are paid")
    options = parser.parse_args()

    with Florin(os.environ["FLORIN_URL"], api_key=os.environ["FLORIN_API_KEY"]) as florin:
        account_id = florin.account.get()["id"]
        # Events after this one cannot be missed, even if a customer pays at once.
        newest = florin.events.list(limit=1).data
        start = newest[0]["sequence"] if newest else 0
        try:
            requested = {
                payment["id"]: invoice
                for invoice in read_invoices(options.file)
                for payment in [request_payment(florin, account_id, invoice)]
            }
        except FlorinError as error:
            print(error, file=sys.stderr)
            if error.outcome_unknown:
                print("Run the command again: nothing is requested twice.", file=sys.stderr)
            return 1
        if options.wait:
            wait_for_all(florin, requested, start)
    return 0


def read_invoices(path: str) -> list[Invoice]:
    with open(path, newline="", encoding="utf-8") as file:
        return [
            Invoice(row["number"], row["email"], int(Decimal(row["dollars"]) * 100))
            for row in csv.DictReader(file)
        ]


def request_payment(florin: Florin, account_id: str, invoice: Invoice) -> CreatedPayment:
    payment = florin.payments.create(
        account_id=account_id,
        amount=invoice.cents,
        currency="USD",
        customer_email=invoice.email,
        reference=f"Invoice {invoice.number}",
        # The same key returns the same payment request, for 30 days.
        idempotency_key=f"invoice {invoice.number}",
    )
    print(invoice.number, payment["payment_url"], flush=True)
    return payment


def wait_for_all(florin: Florin, requested: dict[str, Invoice], start: int) -> None:
    open_ids = {id for id in requested if florin.payments.get(id)["status"] == "pending"}
    if not open_ids:
        return
    for event in florin.events.stream(after=start, type="payment.*"):
        if event["type"] == "payment.succeeded" and event["data"]["id"] in open_ids:
            open_ids.remove(event["data"]["id"])
            print(requested[event["data"]["id"]].number, "is paid", flush=True)
        if not open_ids:
            return


if __name__ == "__main__":
    sys.exit(main())
