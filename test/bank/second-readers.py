# Reads the files of a JSON object from stdin with independent libraries, and prints what they found
# as JSON. Amounts are decimal texts with a sign.

import io
import json
import sys

import mt940
from ofxtools.Parser import OFXTree
from pycamt.parser import Camt053Parser
from stdnum import iban, iso11649


def read_camt(text):
    parser = Camt053Parser(text.encode())
    entries = [
        {
            "amount": sign(one["CreditDebitIndicator"] == "DBIT") + one["Amount"],
            "booked_on": one["BookingDate"],
            "reference": one.get("TransactionID"),
            "end_to_end_id": one.get("EndToEndId"),
            "name": one.get("DebtorName") or one.get("CreditorName"),
            "text": one.get("RemittanceInformation"),
        }
        for one in parser.get_transactions()
    ]
    info = parser.get_statement_info()[0]
    return {"iban": info["IBAN"], "entries": entries}


def read_mt940(text):
    parsed = mt940.parse(text)
    entries = [
        {
            "amount": str(one.data["amount"].amount),
            "booked_on": str(one.data["entry_date"]),
            "reference": one.data["bank_reference"],
            "end_to_end_id": one.data["end_to_end_reference"],
        }
        for one in parsed
    ]
    closing = parsed.data["final_closing_balance"].amount.amount
    account = parsed.data["account_identification"]
    return {"iban": account, "entries": entries, "closing": str(closing)}


def read_ofx(text):
    tree = OFXTree()
    tree.parse(io.BytesIO(text.encode()))
    statement = tree.convert().statements[0]
    entries = [
        {"amount": str(one.trnamt), "reference": one.fitid, "name": one.name, "text": one.memo}
        for one in statement.transactions
    ]
    return {"iban": statement.account.acctid, "entries": entries}


def sign(is_negative):
    return "-" if is_negative else ""


given = json.load(sys.stdin)
found = {
    "camt": [read_camt(text) for text in given["camt"]],
    "mt940": [read_mt940(text) for text in given["mt940"]],
    "ofx": [read_ofx(text) for text in given["ofx"]],
    "ibans": [iban.is_valid(text) for text in given["ibans"]],
    "references": [iso11649.is_valid(text) for text in given["references"]],
}
json.dump(found, sys.stdout)
