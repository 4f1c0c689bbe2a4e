# Uses the client that openapi-python-client generated. Prints what the test expects.

import json
import sys

from generated_florin import AuthenticatedClient, Client
from generated_florin.api.accounts import get_account
from generated_florin.api.sessions import log_in
from generated_florin.api.transactions import create_transaction, list_transactions
from generated_florin.models import CreateTransactionBody, CreateTransactionBodyType, Currency
from generated_florin.models import Error, LogInBody

url, api_key, email, password, account_id = sys.argv[1:]

session = log_in.sync(client=Client(base_url=url), body=LogInBody(email=email, password=password))
as_owner = AuthenticatedClient(base_url=url, token=session.access_token)
account = get_account.sync(client=as_owner)

client = AuthenticatedClient(base_url=url, token=api_key)


def create(kind, amount, key):
    body = CreateTransactionBody(
        account_id=account_id, amount=amount, currency=Currency.USD, type_=kind
    )
    return create_transaction.sync(client=client, body=body, idempotency_key=key)


payments = [create(CreateTransactionBodyType.PAYMENT, 5_000_000_000, "python 1") for _ in range(2)]
page = list_transactions.sync(client=client, limit=10)
refund = create(CreateTransactionBodyType.REFUND, 9_000_000_000, "python 2")
assert isinstance(refund, Error)

print(
    json.dumps(
        {
            "email": account.email,
            "created": [payment.id for payment in payments],
            "listed": [[one.id, one.amount] for one in page.data],
            "error": refund.error,
        }
    )
)
