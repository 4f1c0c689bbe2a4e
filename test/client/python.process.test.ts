// The Python client: its tests run against a real Florin with the python3 of this machine.

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret } from '../../src/webhooks/sign.ts'
import { startFlorin } from '../support/florin.ts'
import { recordSecret } from '../support/secrets.ts'
import { root } from '../support/source-tree.ts'
import { startDispatcher } from '../webhooks/run-dispatcher.ts'

const florin = await startFlorin()
const is_supported = 'import sys; sys.exit(sys.version_info < (3, 11))'
const no_python =
  spawnSync('python3', ['-c', is_supported]).status === 0
    ? false
    : 'python3 3.11 or newer is not installed'

test('the tests of the Python client pass', { skip: no_python }, async (t) => {
  startDispatcher(t, florin)
  const env = {
    ...process.env,
    FLORIN_URL: florin.url,
    FLORIN_ADMIN_TOKEN: (await florin.people.admin()).token,
    FLORIN_TEST_WEBHOOK: JSON.stringify(signWebhook()),
    PYTHONDONTWRITEBYTECODE: '1',
    // Reports sockets that were not closed.
    PYTHONWARNINGS: 'default',
  }
  const cwd = join(root, 'client-python')
  const ran = await promisify(execFile)('python3', ['-m', 'unittest'], { cwd, env })
  assert.match(ran.stderr, /^Ran \d\d tests in [\d.]+s\n\nOK\n$/m)
  assert.doesNotMatch(ran.stderr, /Warning/)
})

function signWebhook(): { body: string; headers: Record<string, string>; secret: string } {
  const secret = recordSecret(newWebhookSecret())
  const body = JSON.stringify({ id: 'evt_1', type: 'transaction.succeeded', data: {} })
  const at = new Date()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
  return { body, headers, secret }
}

test('all packages have one version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const project = readFileSync(join(root, 'client-python/pyproject.toml'), 'utf8')
  const package_file = readFileSync(join(root, 'client-python/florin_client/__init__.py'), 'utf8')
  assert.equal(/^version = "(.+)"$/m.exec(project)?.[1], version)
  assert.equal(/^__version__ = "(.+)"$/m.exec(package_file)?.[1], version)
})
