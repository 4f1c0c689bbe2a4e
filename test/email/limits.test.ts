import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { disableEmailDelivery, enableEmailDelivery, sweepEmails } from '../../src/email/outbox.ts'
import { inboxOf } from '../../src/email/recipient-limits.ts'
import { newUuid } from '../../src/primitives/ids.ts'
import { startFlorin } from '../support/florin.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import {
  emailStatusOf,
  makeDue,
  queueOne,
  queueReceipt,
  sendRound,
  smtpTransportFor,
} from './outbox.ts'

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
  await db.pool.query('delete from inbox_counts')
  server.received.length = 0
})

async function sendAll(): Promise<void> {
  while ((await sendRound(db, transport)) > 0);
}

async function countStates(): Promise<Record<string, number>> {
  const { rows } = await db.pool.query('select state, count(*)::int as n from emails group by 1')
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

test('limits an account to ten emails per hour to one inbox, whatever the spelling', async () => {
  const account_id = newUuid(Date.now())
  for (let n = 0; n < 13; n++) {
    await queueReceipt(db, { account_id, to: n % 2 ? `Ann+${n}@example.com` : 'ann@EXAMPLE.com' })
  }
  const other = await queueReceipt(db, { account_id, to: 'bob@example.com' })
  await sendAll()
  assert.equal(server.received.length, 11)
  assert.deepEqual(await countStates(), { sent: 11, suppressed: 3 })
  assert.equal((await emailStatusOf(db, other)).state, 'sent')
  const { rows } = await db.pool.query(`select error from emails where state = 'suppressed'`)
  assert.match(
    rows[0].error,
    /^Suppressed: the limit for this account to this address is 10 emails/,
  )
})

const request = { to: 'ann@example.com', kind: 'payment_request' } as const

test('a flood from other accounts does not block a new account', async () => {
  for (const account_id of [newUuid(Date.now()), newUuid(Date.now())]) {
    for (let n = 0; n < 11; n++) await queueOne(db, { ...request, account_id })
  }
  await sendAll()
  assert.deepEqual(await countStates(), { sent: 20, suppressed: 2 })
  const shop = newUuid(Date.now())
  const request_cause = await queueOne(db, { ...request, account_id: shop })
  const receipt = await queueReceipt(db, { to: request.to, account_id: shop })
  const after_payment = await queueOne(db, { ...request, account_id: shop })
  for (const cause of [request_cause, receipt, after_payment]) {
    await sendAll()
    assert.equal((await emailStatusOf(db, cause)).state, 'sent')
  }
})

test('defers emails over a shared limit and sends them when there is room', async () => {
  const new_accounts = Array.from({ length: 24 }, () => newUuid(Date.now()))
  for (const account_id of new_accounts) await queueOne(db, { ...request, account_id })
  await sendAll()
  // The limit for first emails of new accounts is separate from the limit for the inbox.
  assert.deepEqual(await countStates(), { sent: 20, queued: 4 })
  const { rows } = await db.pool.query(
    `select attempts, error, next_at > now() as later from emails where state = 'queued'`,
  )
  assert.deepEqual([rows[0].attempts, rows[0].later], [0, true])
  assert.match(rows[0].error, /^Deferred: the limit for new accounts to this address is 20 emails/)
  await db.pool.query(`update inbox_counts set sent_at = array(
    select moment - interval '61 minutes' from unnest(sent_at) as moment)`)
  await makeDue(db)
  await sendAll()
  assert.deepEqual(await countStates(), { sent: 24 })
})

test('suppresses an email that was deferred for a day', async () => {
  for (let n = 0; n < 21; n++) await queueOne(db, { ...request, account_id: newUuid(Date.now()) })
  await sendAll()
  assert.deepEqual(await countStates(), { sent: 20, queued: 1 })
  await db.pool.query(
    `update emails set deferred_since = now() - interval '25 hours' where state = 'queued'`,
  )
  await makeDue(db)
  await sendAll()
  assert.deepEqual(await countStates(), { sent: 20, suppressed: 1 })
})

test('at most twenty paid accounts per day become known to an inbox', async () => {
  for (let n = 0; n < 24; n++) await queueReceipt(db, { to: request.to })
  await sendAll()
  assert.deepEqual(await countStates(), { sent: 20, queued: 4 })
})

test('limits the distinct inboxes that an account sends to per day', async () => {
  const account_id = newUuid(Date.now())
  const send = async () => {
    while ((await sendRound(db, transport, undefined, 3)) > 0);
  }
  const toNew = (n: number) => queueOne(db, { ...request, account_id, to: `c-${n}@example.com` })
  await queueReceipt(db, { account_id, to: 'payer@example.com' })
  for (const n of [1, 2]) await toNew(n)
  await send()
  const over_limit = await toNew(3)
  // Neither another address of a counted inbox nor an inbox that has paid is a new recipient.
  const allowed = [
    await queueOne(db, { ...request, account_id, to: 'C-1+again@example.com' }),
    await queueOne(db, { ...request, account_id, to: 'payer@example.com' }),
    await queueOne(db, { ...request, account_id: newUuid(Date.now()), to: 'c-3@example.com' }),
    await queueOne(db, { account_id, kind: 'webhook_disabled', to: 'owner@example.com' }),
  ]
  await send()
  for (const cause of allowed) assert.equal((await emailStatusOf(db, cause)).state, 'sent')
  const { state, error } = await emailStatusOf(db, over_limit)
  assert.equal(state, 'suppressed')
  assert.equal(error, 'Suppressed: the limit for this account is 3 recipients per day (UTC).')
})

test('the hourly limit resets until the daily limit is reached', async () => {
  const account_id = newUuid(Date.now())
  const to = 'ann@example.com'
  for (const [sent, suppressed] of [
    [10, 1],
    [20, 2],
    [30, 3],
    [30, 14],
  ] as const) {
    for (let n = 0; n < 11; n++) await queueReceipt(db, { account_id, to })
    await sendAll()
    assert.deepEqual(await countStates(), { sent, suppressed })
    await db.pool.query(`update inbox_counts set sent_at = array(
      select moment - interval '61 minutes' from unnest(sent_at) as moment)`)
  }
})

test('counts a retried email once', async () => {
  const away = await startSmtpServer()
  await away.stop()
  const unreachable = smtpTransportFor(away)
  await queueReceipt(db, { to: 'ann@example.com' })
  for (let n = 0; n < 3; n++) {
    await makeDue(db)
    await sendRound(db, unreachable)
  }
  unreachable.disconnect()
  const { rows } = await db.pool.query(
    'select cardinality(sent_at) as n from inbox_counts where cardinality(sent_at) > 0',
  )
  assert.deepEqual(rows, [{ n: 1 }, { n: 1 }])
})

test('inboxOf ignores case and the part after a plus sign', () => {
  assert.equal(inboxOf('Ann.Lee+a+b@Example.com'), 'ann.lee@example.com')
  assert.equal(inboxOf('+ann@example.com'), '+ann@example.com')
})

test('stores emails without a mail server and does not send them later', async () => {
  const queued = await queueReceipt(db)
  await disableEmailDelivery(db)
  const stored = await queueReceipt(db)
  assert.equal((await emailStatusOf(db, queued)).state, 'stored')
  assert.equal((await emailStatusOf(db, stored)).state, 'stored')
  await enableEmailDelivery(db)
  await sendAll()
  assert.equal(server.received.length, 0)
})

test('deletes emails after 90 days unless they are queued', async () => {
  const old = await queueReceipt(db)
  const waiting = await queueReceipt(db)
  const young = await queueReceipt(db)
  const long_ago = Date.now() - 91 * 86_400_000
  for (const cause of [old, waiting]) {
    await db.pool.query('update emails set id = $2 where cause = $1', [cause, newUuid(long_ago)])
  }
  await db.pool.query(`update emails set state = 'stored', next_at = null where cause = any($1)`, [
    [old, young],
  ])
  await db.pool.query(
    `insert into inbox_counts values ('\\x01', '{}', now() - interval '1 second')`,
  )
  assert.equal(await sweepEmails(db), 2)
  assert.equal(await emailStatusOf(db, old), undefined)
  assert.equal((await emailStatusOf(db, waiting)).state, 'queued')
  assert.equal((await emailStatusOf(db, young)).state, 'stored')
})
