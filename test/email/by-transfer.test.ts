// Where no cards are taken there is nothing to confirm, and money may be on its way: emails must
// not say what only holds for cards.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { enableEmailDelivery } from '../../src/email/delivery-switch.ts'
import { jobsOf } from '../../src/worker.ts'
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

const only_of_cards = /No money (is|has been) taken/
const kinds = ['payment_request', 'payment_reminder'] as const

/** What the worker's own job sends, with this processor. */
async function sent(processor: 'sandbox' | 'manual'): Promise<string[]> {
  await enableEmailDelivery(db)
  server.received.length = 0
  for (const kind of kinds) await queueWithText(db, kind, 'Acme Ltd')
  const log = pino({ level: 'silent' })
  const jobs = jobsOf(db, log, { ...florin.config, processor }, { transport })
  const { signal } = new AbortController()
  await jobs.find(({ name }) => name === 'send_emails')!.run(db, { slots: [0], signal })
  assert.equal(server.received.length, kinds.length)
  return server.received.map(({ raw }) => raw.replaceAll('=\r\n', ''))
}

test('what the worker sends says that nothing is taken only where cards are', async () => {
  for (const raw of await sent('sandbox')) assert.match(raw, only_of_cards)
  for (const raw of await sent('manual')) {
    assert.doesNotMatch(raw, only_of_cards)
    assert.match(raw, /The payment page shows/)
  }
})

test('and so does what admins read', async () => {
  const manual = await florin.startSecondServer({ FLORIN_PROCESSOR: 'manual' })
  const { token } = await florin.people.admin()
  for (const kind of kinds) {
    const to = await queueWithText(db, kind, 'Acme Ltd')
    const { body } = await florin.call('GET', `/v1/emails?to=${to}`, { token })
    const path = `/v1/emails/${body.data[0].id}`
    assert.match((await florin.call('GET', path, { token })).body.text, only_of_cards)
    const { text, html } = (await manual.call('GET', path, { token })).body
    for (const words of [text, html]) assert.doesNotMatch(words, only_of_cards)
  }
})
