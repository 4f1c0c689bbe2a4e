// With a processor without cards there is nothing to confirm, and a transfer may be in transit:
// emails must not contain statements that only apply to cards.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { enableEmailDelivery } from '../../src/email/outbox.ts'
import { openProcessor } from '../../src/processors/processor.ts'
import { jobsOf } from '../../src/worker-jobs.ts'
import { startFlorin } from '../support/florin.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { queueWithText, smtpTransportFor } from './outbox.ts'

const florin = await startFlorin()
const { db } = florin
const server = await startSmtpServer()
const transport = smtpTransportFor(server)
after(async () => {
  transport.disconnect()
  await server.stop()
})

const card_text = /charged (until|yet)/
const kinds = ['payment_request', 'payment_reminder'] as const

/** Runs the worker's email job with this processor. Returns the sent messages. */
async function sendWith(name: 'sandbox' | 'manual'): Promise<string[]> {
  await enableEmailDelivery(db)
  server.received.length = 0
  for (const kind of kinds) await queueWithText(db, kind, 'Acme Ltd')
  const log = pino({ level: 'silent' })
  const { config } = florin
  const processor = await openProcessor({ ...config, processors: [name] })
  const jobs = jobsOf({ db, log, config, processor }, { transport })
  const { signal } = new AbortController()
  await jobs.find(({ name }) => name === 'send_emails')!.run(db, { slots: [0], signal })
  assert.equal(server.received.length, kinds.length)
  return server.received.map(({ raw }) => raw.replaceAll('=\r\n', ''))
}

test('sent emails mention charges only if the processor accepts cards', async () => {
  for (const raw of await sendWith('sandbox')) assert.match(raw, card_text)
  for (const raw of await sendWith('manual')) {
    assert.doesNotMatch(raw, card_text)
    assert.match(raw, /The payment page shows/)
  }
})

test('GET /v1/emails mentions charges only if the processor accepts cards', async () => {
  const manual = await florin.startSecondServer({ FLORIN_PROCESSOR: 'manual' })
  const { token } = await florin.people.admin()
  for (const kind of kinds) {
    const to = await queueWithText(db, kind, 'Acme Ltd')
    const { body } = await florin.call('GET', `/v1/emails?to=${to}`, { token })
    const path = `/v1/emails/${body.data[0].id}`
    assert.match((await florin.call('GET', path, { token })).body.text, card_text)
    const { text, html } = (await manual.call('GET', path, { token })).body
    for (const part of [text, html]) assert.doesNotMatch(part, card_text)
  }
})
