// Compatibility with the standardwebhooks package: verifyWebhook accepts exactly what it accepts.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { FlorinError, verifyWebhook } from '../../client/src/florin.ts'
import { recordSecret } from '../support/secrets.ts'

const newSecret = () => recordSecret(`whsec_${randomBytes(32).toString('base64')}`)
const secret = newSecret()
const body = JSON.stringify({
  id: 'evt_1',
  type: 'transaction.succeeded',
  timestamp: '2026-11-15T09:30:00.000Z',
  data: { id: 'txn_1', amount: 7500, reference: 'Rechnung für Zoë €' },
})

function sign(text: string, at = new Date(), by = secret): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('evt_1', at, text),
  }
}

const seconds = (count: number) => new Date(Date.now() + count * 1000)

const isForged = (error: unknown) =>
  error instanceof FlorinError && error.code === 'webhook_verification_failed'

test('accepts what standardwebhooks signs, as text and as bytes', async () => {
  const headers = sign(body)
  const event = await verifyWebhook(body, headers, secret)
  assert.deepEqual(event, JSON.parse(body))
  const bytes = new TextEncoder().encode(body)
  assert.deepEqual(await verifyWebhook(bytes, headers, secret), event)
  assert.deepEqual(await verifyWebhook(bytes.buffer as ArrayBuffer, headers, secret), event)
  assert.deepEqual(await verifyWebhook(Buffer.from(body), headers, secret), event)
  if (event.type === 'transaction.succeeded') assert.equal(event.data.amount, 7500)
})

test('accepts headers of fetch, Node.js and other frameworks', async () => {
  const headers = sign(body)
  await verifyWebhook(body, new Headers(headers), secret)
  const loud = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
  await verifyWebhook(body, Object.fromEntries(loud), secret)
  const listed = { ...headers, 'webhook-signature': [headers['webhook-signature']!] }
  await verifyWebhook(body, listed, secret)
})

test('accepts either signature and either secret during a rotation', async () => {
  const next = newSecret()
  const at = new Date()
  const old_one = sign(body, at)['webhook-signature']
  const new_one = sign(body, at, next)['webhook-signature']
  const both = { ...sign(body, at), 'webhook-signature': `v1a,AAAA ${new_one} ${old_one}` }
  await verifyWebhook(body, both, secret)
  await verifyWebhook(body, both, next)
  await verifyWebhook(body, sign(body), [next, secret])
  await assert.rejects(verifyWebhook(body, both, newSecret()), isForged)
  await assert.rejects(verifyWebhook(body, both, []), isForged)
})

test('rejects any change to body or headers', async () => {
  const headers = sign(body)
  const longer = `${body} `
  await assert.rejects(verifyWebhook(longer, headers, secret), isForged)
  const rewritten = JSON.stringify(JSON.parse(body), null, 1)
  await assert.rejects(verifyWebhook(rewritten, headers, secret), isForged)
  const others: Record<string, string>[] = [
    { 'webhook-id': 'evt_2' },
    { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) },
    { 'webhook-signature': `v2,${headers['webhook-signature']!.slice(3)}` },
    { 'webhook-signature': headers['webhook-signature']!.slice(3) },
    { 'webhook-signature': 'v1,' },
    { 'webhook-signature': 'v1,%%%' },
    { 'webhook-id': '' },
  ]
  for (const other of others) {
    await assert.rejects(verifyWebhook(body, { ...headers, ...other }, secret), isForged)
  }
})

test('rejects a timestamp more than five minutes off', async () => {
  for (const offset_s of [-290, 0, 290]) {
    await verifyWebhook(body, sign(body, seconds(offset_s)), secret)
  }
  for (const offset_s of [-310, 310]) {
    const headers = sign(body, seconds(offset_s))
    await assert.rejects(verifyWebhook(body, headers, secret), isForged)
    await verifyWebhook(body, headers, secret, { tolerance_s: 600 })
  }
  for (const timestamp of ['', 'now', '1e9', '-1', `${Math.floor(Date.now() / 1000)}.5`]) {
    const headers = { ...sign(body), 'webhook-timestamp': timestamp }
    await assert.rejects(verifyWebhook(body, headers, secret), isForged)
  }
})

test('agrees with standardwebhooks on a thousand valid and corrupted deliveries', async () => {
  const theirs = new Webhook(secret)
  for (let round = 0; round < 1000; round += 1) {
    const text = JSON.stringify({ round, noise: randomBytes(round % 40).toString('latin1') })
    const headers = sign(text)
    const corrupted = corrupt(headers, round)
    const accepted = await verifyWebhook(text, corrupted, secret).then(
      () => true,
      () => false,
    )
    assert.equal(accepted, isAcceptedBy(theirs, text, corrupted), `round ${round}`)
    assert.equal(accepted, round % 2 === 0, `round ${round}`)
  }
})

function isAcceptedBy(theirs: Webhook, text: string, headers: Record<string, string>): boolean {
  try {
    theirs.verify(text, headers)
    return true
  } catch {
    return false
  }
}

/** Replaces one character of every second signature. */
function corrupt(headers: Record<string, string>, round: number): Record<string, string> {
  if (round % 2 === 0) return headers
  const signature = headers['webhook-signature']!
  const at = 3 + (round % 40)
  const character = signature[at] === 'A' ? 'B' : 'A'
  const corrupted = signature.slice(0, at) + character + signature.slice(at + 1)
  return { ...headers, 'webhook-signature': corrupted }
}

test('rejects an invalid secret with a TypeError', async () => {
  for (const wrong of ['', 'whsec_', 'whsec_%%%']) {
    await assert.rejects(
      verifyWebhook(body, sign(body), wrong),
      /^TypeError: A webhook secret must be/,
    )
  }
})
