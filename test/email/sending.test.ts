import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { newEmailRotation } from '../../src/email/claim-emails.ts'
import { service_account_id } from '../../src/email/email.ts'
import { email_retries, enableEmailDelivery } from '../../src/email/outbox.ts'
import { sendDue } from '../../src/email/send-due.ts'
import { startFlorin } from '../support/florin.ts'
import { findFreePort } from '../support/free-port.ts'
import {
  headerOf,
  smtpError,
  startSmtpServer,
  type TestSmtpServer,
} from '../support/smtp-server.ts'
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
  resetServer(server)
})

function resetServer(one: TestSmtpServer): void {
  one.received.length = 0
  one.onRecipient = async () => undefined
  one.onMessage = async () => undefined
}

test('sends an email once, as text and HTML, and marks it as sent', async () => {
  const cause = await queueReceipt(db, { to: 'Ann@example.com' })
  assert.equal(await sendRound(db, transport), 1)
  assert.equal(await sendRound(db, transport), 0)
  assert.equal(server.received.length, 1)
  const [message] = server.received
  assert.deepEqual([message!.from, message!.to], ['pay@example.com', ['Ann@example.com']])
  assert.equal(headerOf(message!, 'From'), 'Acme Payments <pay@example.com>')
  assert.equal(headerOf(message!, 'Subject'), 'Receipt: $75.00 to Acme Ltd')
  assert.equal(headerOf(message!, 'Auto-Submitted'), 'auto-generated')
  assert.match(headerOf(message!, 'Message-ID')!, /^<[0-9a-f]{40}@example\.com>$/)
  assert.match(message!.raw, /Content-Type: text\/plain/)
  assert.match(message!.raw, /Content-Type: text\/html/)
  const status = await emailStatusOf(db, cause)
  assert.deepEqual(
    [status.state, status.sent, status.error, status.attempts],
    ['sent', true, null, 1],
  )
})

test('leaves an email of an unknown kind to a worker of the next version', async () => {
  const cause = await queueReceipt(db, { to: 'ann@example.com' })
  const setKind = (kind: string) =>
    db.pool.query('update emails set kind = $1 where cause = $2', [kind, cause])
  await setKind('birthday')
  assert.equal(await sendRound(db, transport), 1)
  const left = await emailStatusOf(db, cause)
  assert.deepEqual([left.state, left.attempts], ['queued', 0])
  await setKind('payment_receipt')
  await makeDue(db)
  assert.equal(await sendRound(db, transport), 1)
  assert.equal((await emailStatusOf(db, cause)).state, 'sent')
})

test('removes a one-time link from the stored email once it is sent', async () => {
  const account_id = service_account_id
  const reset = { kind: 'password_reset', to: 'ann@example.com', account_id } as const
  const receipt = { kind: 'payment_receipt', to: 'bob@example.com', account_id } as const
  const causes = [await queueOne(db, reset), await queueOne(db, receipt)]
  const urlsOf = async () => {
    const { rows } = await db.pool.query(
      `select content::json -> 'facts' ->> 'url' as url from emails
       where cause = any($1) order by kind desc`,
      [causes],
    )
    return rows.map(({ url }) => url)
  }
  server.onMessage = async () => smtpError(451, 'Try again later')
  assert.equal(await sendRound(db, transport), 2)
  const url = 'https://pay.example.com/pay/x'
  assert.deepEqual(await urlsOf(), [url, url], 'a retry needs the link')
  server.onMessage = async () => undefined
  await makeDue(db)
  assert.equal(await sendRound(db, transport), 2)
  const message = server.received.find(({ to }) => to[0] === 'ann@example.com')
  assert.match(message!.raw, /https:\/\/pay\.example\.com\/pay\/x/)
  assert.deepEqual(await urlsOf(), [url, 'https://pay.example.com/pay/…'])
})

test('concurrent workers send each email once', async () => {
  const causes = await Promise.all(Array.from({ length: 60 }, () => queueReceipt(db)))
  const workers = Array.from({ length: 4 }, () => smtpTransportFor(server))
  await Promise.all(
    workers.map(async (worker) => {
      while ((await sendRound(db, worker)) > 0);
    }),
  )
  for (const worker of workers) worker.disconnect()
  const ids = server.received.map((message) => headerOf(message, 'Message-ID'))
  assert.equal(ids.length, causes.length)
  assert.equal(new Set(ids).size, causes.length)
})

test('never sends a cause twice, even if it is queued again', async () => {
  const account_id = '01890a5d-ac96-774b-bcce-b302099a8057'
  await queueReceipt(db, { cause: 'one', account_id })
  await sendRound(db, transport)
  await queueReceipt(db, { cause: 'one', account_id })
  await sendRound(db, transport)
  assert.equal(server.received.length, 1)
})

test('retries a temporarily rejected recipient without delaying other emails', async () => {
  server.onRecipient = async (address) =>
    address.startsWith('grey') ? smtpError(451, 'Come back later') : undefined
  const grey = await queueReceipt(db, { to: 'grey@example.com' })
  const other = await queueReceipt(db)
  await sendRound(db, transport)
  assert.equal((await emailStatusOf(db, other)).state, 'sent')
  const waiting = await emailStatusOf(db, grey)
  assert.deepEqual([waiting.state, waiting.attempts], ['queued', 1])
  assert.match(waiting.error!, /Come back later/)
  assert.ok(waiting.wait_s! > 40 && waiting.wait_s! <= 72)
  assert.equal(await sendRound(db, transport), 0)

  resetServer(server)
  await makeDue(db)
  await sendRound(db, transport)
  const status = await emailStatusOf(db, grey)
  assert.deepEqual([status.state, status.attempts, status.error], ['sent', 2, null])
})

test('fails an email after a permanent rejection of the recipient or the content', async () => {
  server.onRecipient = async (address) =>
    address.startsWith('gone') ? smtpError(550, 'No such user') : undefined
  server.onMessage = async () => smtpError(554, 'Looks like spam')
  const gone = await queueReceipt(db, { to: 'gone@example.com' })
  const spam = await queueReceipt(db)
  await sendRound(db, transport)
  for (const [cause, error] of [
    [gone, /No such user/],
    [spam, /Looks like spam/],
  ] as const) {
    const status = await emailStatusOf(db, cause)
    assert.deepEqual([status.state, status.wait_s, status.sent], ['failed', null, false])
    assert.match(status.error!, error)
  }
})

test('sends queued emails once the mail server is back', async () => {
  const port = await findFreePort()
  const other_transport = smtpTransportFor({ url: `smtp://127.0.0.1:${port}` })
  const cause = await queueReceipt(db)
  await sendRound(db, other_transport)
  const waiting = await emailStatusOf(db, cause)
  assert.deepEqual([waiting.state, waiting.attempts], ['queued', 1])
  assert.match(waiting.error!, /ECONNREFUSED/)

  const back = await startSmtpServer({}, port)
  await makeDue(db)
  await sendRound(db, other_transport)
  other_transport.disconnect()
  await back.stop()
  assert.equal(back.received.length, 1)
  assert.equal((await emailStatusOf(db, cause)).state, 'sent')
})

test('retry delays grow over days, then the email fails', async () => {
  const waits = Array.from({ length: 10 }, (_, at) => email_retries.waitAfter(at + 1, 0.5))
  const known = waits.filter((wait) => wait !== undefined)
  assert.deepEqual(
    known,
    known.toSorted((one, other) => one - other),
  )
  const days = known.reduce((sum, wait) => sum + wait) / 86_400_000
  assert.ok(days > 2 && days < 4, `${days} days`)
  assert.equal(waits.at(-1), undefined)
  assert.equal(email_retries.waitAfter(1, 0), 48_000)
  assert.equal(email_retries.waitAfter(1, 1), 72_000)

  server.onRecipient = async () => smtpError(451, 'Later')
  const cause = await queueReceipt(db)
  await db.pool.query('update emails set attempts = 9 where cause = $1', [cause])
  await sendRound(db, transport)
  assert.equal((await emailStatusOf(db, cause)).state, 'failed')
})

test('resends an email with the same Message-ID after its lease expires', async () => {
  const pace = { lease_ms: 60_000, round_ms: 60_000 }
  const cause = await queueReceipt(db)
  const ids: (string | undefined)[] = []
  let release = (_: undefined) => {}
  const blocked = new Promise<undefined>((resolve) => {
    release = resolve
  })
  // The server has the message but does not acknowledge it before the lease expires.
  server.onMessage = async (message) => {
    ids.push(headerOf(message, 'Message-ID'))
    return blocked
  }
  const slow = smtpTransportFor(server)
  const first = sendRound(db, slow, pace)
  while (ids.length === 0) await wait(10)
  assert.equal(await sendRound(db, transport), 0)
  // Simulates an expired lease.
  await makeDue(db)
  resetServer(server)
  assert.equal(await sendRound(db, transport), 1)
  ids.push(headerOf(server.received[0]!, 'Message-ID'))
  release(undefined)
  await first
  slow.disconnect()
  assert.equal(ids[0], ids[1])
  // The slow worker's outcome is ignored, because it no longer holds the lease.
  const status = await emailStatusOf(db, cause)
  assert.deepEqual([status.state, status.attempts], ['sent', 2])
})

test('disconnects from a server that blocks a round and retries the email', async () => {
  const cause = await queueReceipt(db)
  server.onRecipient = () => new Promise(() => {})
  const other_transport = smtpTransportFor(server)
  await sendRound(db, other_transport, { lease_ms: 10_000, round_ms: 200 })
  const status = await emailStatusOf(db, cause)
  assert.deepEqual([status.state, status.attempts], ['queued', 1])
  resetServer(server)
  await makeDue(db)
  await sendRound(db, other_transport)
  other_transport.disconnect()
  assert.equal((await emailStatusOf(db, cause)).state, 'sent')
})

test('does not send an email whose link has expired', async () => {
  const facts = { expires_at: '2020-01-01T00:00:00.000Z' } as object
  const cause = await queueReceipt(db, { facts })
  await sendRound(db, transport)
  assert.equal(server.received.length, 0)
  assert.equal((await emailStatusOf(db, cause)).state, 'failed')
})

test('suppressed emails are not reported as server errors', async () => {
  const round = async () => {
    const reports: [string, number][] = []
    const report = (error: string, emails: number) => reports.push([error, emails])
    const findSuppression = async ({ recipient }: { recipient: string }) =>
      recipient.startsWith('paid') ? 'The payment request was paid.' : undefined
    const { signal } = new AbortController()
    const rotation = newEmailRotation()
    const options = { sandbox: false, takes_cards: true, recipients_max: 10_000 }
    const parts = { ...options, db, transport, rotation, findSuppression, report }
    const { done, more } = await sendDue(parts, { signal })
    return { done, more, reports }
  }
  const queue = async (name: string, count: number) => {
    for (let at = 0; at < count; at++) await queueReceipt(db, { to: `${name}-${at}@example.com` })
  }
  await queue('paid', 21)
  assert.deepEqual(await round(), { done: 20, more: true, reports: [] })
  assert.deepEqual(await round(), { done: 1, more: false, reports: [] })

  const facts = { expires_at: '2020-01-01T00:00:00.000Z' } as object
  await queueReceipt(db, { facts })
  assert.deepEqual(await round(), { done: 1, more: false, reports: [] })

  // Only the emails that the server rejected are reported.
  server.onRecipient = async () => smtpError(550, 'No such user')
  await queue('paid', 18)
  await queue('gone', 2)
  const { reports, ...rest } = await round()
  assert.deepEqual(rest, { done: 20, more: true })
  assert.match(reports[0]![0], /No such user/)
  assert.equal(reports[0]![1], 2)
})

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
