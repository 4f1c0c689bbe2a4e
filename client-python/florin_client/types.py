"""The types of requests and responses, for annotations: `from florin_client.types import Payment`."""

from ._generated.types import *
