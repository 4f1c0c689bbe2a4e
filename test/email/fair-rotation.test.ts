// Fair queueing: an account with many emails does not delay the others.

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { enableEmailDelivery } from '../../src/email/outbox.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { makeDue, queueReceipt, sendRound, smtpTransportFor } from './outbox.ts'

const florin = await startFlorin()
const { db } = florin
const server = await startSmtpServer()
const transport = smtpTransportFor(server)
after(async () => {
  transport.disconnect()
  await server.stop()
})

beforeEach(async () => {
  await enableEmailDelivery(db)
  await db.pool.query('delete from emails')
  server.received.length = 0
})

/** Queues emails of one account. */
async function queueMany(count: number, account_id = newUuid(Date.now())): Promise<string> {
  await Promise.all(Array.from({ length: count }, () => queueReceipt(db, { account_id })))
  return account_id
}

async function countSent(account_id: string): Promise<number> {
  const { rows } = await db.pool.query(
    `select count(*)::int as n from emails where account_id = $1 and state = 'sent'`,
    [account_id],
  )
  return rows[0].n
}

test('an account with one email does not wait behind an account with many', async () => {
  const first = await queueMany(60)
  const one = await queueMany(1)
  assert.equal(await sendRound(db, transport), 20)
  assert.equal(await countSent(one), 1)
  // The rest of the batch goes to the other account.
  assert.equal(await countSent(first), 19)
})

test('a single account gets the whole batch', async () => {
  await queueMany(25)
  assert.equal(await sendRound(db, transport), 20)
  assert.equal(await sendRound(db, transport), 5)
  assert.equal(await sendRound(db, transport), 0)
})

test('accounts take turns when more are due than fit into a batch', async () => {
  const accounts: string[] = []
  for (let n = 0; n < 30; n++) accounts.push(await queueMany(3))
  // Gives all emails the same due time.
  await makeDue(db)
  await sendRound(db, transport)
  await sendRound(db, transport)
  const sent = await Promise.all(accounts.map(countSent))
  assert.equal(Math.min(...sent), 1, `${sent}`)
  assert.equal(
    sent.reduce((all, count) => all + count, 0),
    40,
  )
})

test('skips accounts whose emails wait for a retry', async () => {
  for (let n = 0; n < 30; n++) await queueMany(1)
  await db.pool.query(`update emails set next_at = now() + interval '1 hour'`)
  const one = await queueMany(3)
  assert.equal(await sendRound(db, transport), 3)
  assert.equal(await countSent(one), 3)
  assert.equal(await sendRound(db, transport), 0)
})
