// Runs the Python receiver from the webhooks guide unchanged against real deliveries.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret } from '../../src/webhooks/sign.ts'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
import { makeEndpoint, makeTransaction, startDispatcher, waitFor } from './run-dispatcher.ts'

const florin = await startFlorin()
const guide = new URL('../../docs/guides/receive-webhooks.md', import.meta.url)
const has_python = spawnSync('python3', ['--version']).status === 0

test('the receiver from the guide accepts genuine deliveries only', async (t) => {
  if (!has_python) return t.skip('python3 is not installed')
  const [, script] = /```python\n([\s\S]*?)```/.exec(await readFile(guide, 'utf8'))!
  const folder = await mkdtemp(join(tmpdir(), 'florin-receiver-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'receiver.py'), script!)

  const owner = await florin.people.owner()
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}/`
  const { id, secret } = await makeEndpoint(florin, owner, url, ['transaction.created'])
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) }
  const receiver = spawn('python3', [join(folder, 'receiver.py')], { env })
  t.after(async () => {
    receiver.kill('SIGKILL')
    await once(receiver, 'close')
  })
  let printed = ''
  receiver.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  await waitFor('the receiver listens', () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
  startDispatcher(t, florin)
  const transaction_id = await makeTransaction(florin, owner)
  await waitFor('the delivery arrived', () => printed === `transaction.created ${transaction_id}\n`)

  // Both secrets sign during a rotation, and the receiver still has the old one.
  const path = `/v1/webhook_endpoints/${id}/rotate`
  await florin.call('POST', path, { token: owner.token })
  const second = await makeTransaction(florin, owner)
  await waitFor('the second delivery arrived', () =>
    printed.endsWith(`transaction.created ${second}\n`),
  )
  await assertRejectsForgeries(url)
})

async function assertRejectsForgeries(url: string): Promise<void> {
  const body = '{"type":"transaction.created","data":{"id":"txn_forged"}}'
  const now_s = String(Math.floor(Date.now() / 1000))
  // Signed with another secret, or with an old or invalid timestamp.
  const other_signature = new Webhook(newWebhookSecret()).sign('evt_1', new Date(), body)
  const forged: Record<string, string>[] = [
    {},
    { 'webhook-id': 'evt_1', 'webhook-timestamp': now_s, 'webhook-signature': other_signature },
    { 'webhook-id': 'evt_1', 'webhook-timestamp': '0', 'webhook-signature': other_signature },
    { 'webhook-id': 'evt_1', 'webhook-timestamp': 'now', 'webhook-signature': 'v1a,AAAA' },
  ]
  for (const headers of forged) {
    const response = await fetch(url, { method: 'POST', headers, body })
    assert.equal(response.status, 400, JSON.stringify(headers))
  }
}
