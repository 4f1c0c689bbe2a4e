import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Email } from '../../src/email/email.ts'
import { queueEmails } from '../../src/email/outbox.ts'
import { startFlorin } from '../support/florin.ts'

const florin = await startFlorin()

const account_id = '01890a5d-ac96-774b-bcce-b302099a8057'

function receipt(cause: string, account_name = 'Acme Ltd'): Email {
  return {
    cause,
    account_id,
    to: 'ann@example.com',
    language: 'en',
    timezone: 'UTC',
    kind: 'payment_receipt',
    facts: {
      account_name,
      amount: 7500,
      currency: 'USD',
      reference: null,
      url: 'https://pay.example.com/pay/x',
      paid_at: '2026-11-15T10:00:00.000Z',
      transaction_id: 'txn_x',
    },
  }
}

async function causes(): Promise<string[]> {
  const { rows } = await florin.db.pool.query('select cause, state from emails order by id')
  return rows.map(({ cause, state }) => `${cause} ${state}`)
}

test('queues a cause once, within one transaction and across transactions', async () => {
  const once = receipt('payment_receipt one')
  await florin.db.transaction(async (tx) => queueEmails(tx, [once, once]))
  await florin.db.transaction(async (tx) =>
    queueEmails(tx, [once, receipt('two "quoted" \\ text')]),
  )
  assert.deepEqual(await causes(), ['payment_receipt one stored', 'two "quoted" \\ text stored'])
})

test('a rollback queues nothing, and an empty list queues nothing', async () => {
  const before = await causes()
  const failing = florin.db.transaction(async (tx) => {
    queueEmails(tx, [receipt('three')])
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  await florin.db.transaction(async (tx) => queueEmails(tx, []))
  assert.deepEqual(await causes(), before)
})
