# Starts localstripe on the given port of 127.0.0.1. Its own command listens on all addresses and
# stores its data in a file that all runs share.

import sys

from aiohttp import web
from localstripe.server import app, store

store.dump_to_disk = lambda: None
web.run_app(app, host='127.0.0.1', port=int(sys.argv[1]), print=None)
