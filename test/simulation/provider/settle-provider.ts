// The end of a run with a payment provider. The provider is healthy, every checkout has ended, and
// Florin gets the time to ask for everything that it missed.

import { setTimeout as sleep } from 'node:timers/promises'
import { toTypeId } from '../../../src/primitives/ids.ts'
import type { Recorder } from '../record.ts'
import type { Fleet } from '../servers/fleet.ts'
import { RunSession } from '../servers/run-session.ts'
import type { RunProvider } from './open-provider.ts'

// Florin waits minutes and hours between its own checks. Instead of waiting, the runner moves the
// times in the database, as if they had passed. A dead worker keeps its leases for seconds.
const checks_due = `
  update checkouts set check_at = now() where check_at > now() and provider_id is not null`
// Florin asks for a missing fee for two days only, and the fees of a run are late by seconds.
const open_checks_due = `${checks_due} and state <> 'paid'`
const refunds_due = `update provider_refunds set next_at = now() where next_at > now()`
const messages_due = `update provider_events set next_at = now() where next_at > now()`
const leases_expired = `delete from leases`

// Some payers are too late.
const request_expired = `
  update payment_requests set due_at = now(), expires_at = now()
  where id in (
    select id from payment_requests where status = 'pending' order by random() limit 1)`

const in_run = [open_checks_due, messages_due, leases_expired, request_expired]
const at_end = [checks_due, refunds_due, messages_due]

// A refund is repeated sooner than a message or a check can show its outcome.
const refunds_every_ms = 250
const pass_every = 6

/** Passes time until the signal is aborted. */
export async function passTime(fleet: Fleet, signal: AbortSignal): Promise<void> {
  const session = new RunSession(fleet.database, 'chaos clock')
  for (let turn = 1; !signal.aborted; turn++) {
    await sleep(refunds_every_ms, undefined, { signal }).catch(() => {})
    const statements = turn % pass_every === 0 ? [refunds_due, ...in_run] : [refunds_due]
    for (const statement of statements) await session.rows(statement).catch(() => {})
  }
  await session.close()
}

// A worker sweeps when it starts, then every minute. Two starts are faster than two minutes.
const starts_max = 2
const settle_within_ms = 30_000
// Longer than every wait inside Florin that the runner cannot shorten.
const stuck_after_ms = 8_000

/** Records what the provider holds, once Florin has nothing left to do or the time is over. */
export async function settleProvider(
  fleet: Fleet,
  provider: RunProvider,
  recorder: Recorder,
  refund: (charge: ChargedPayment) => Promise<void>,
): Promise<void> {
  for (const { id } of provider.fake.sessions.values()) {
    provider.fake.expire(id)
    provider.fake.endDebit(id, true)
  }
  await settle(fleet, provider)
  await loseRefunds(fleet, provider, refund)
  await settle(fleet, provider)
  recorder.add(provider.state())
}

async function settle(fleet: Fleet, provider: RunProvider): Promise<void> {
  for (let starts = 0; starts < starts_max; starts++) {
    await restart(fleet)
    if (await isSettled(fleet, provider)) break
  }
}

async function restart({ servers }: Fleet): Promise<void> {
  for (const server of servers) await server.stop()
  for (const server of servers) await server.start()
}

/** A payment that can still be refunded through the provider. */
export interface ChargedPayment {
  account: string
  payment: string
}

// Of two payments at most: each refund fails twice, and five failures open the circuit breaker.
const refundable_query = `
  select charges.account_id, transaction_id
  from charges
    join transactions on transactions.account_id = charges.account_id and id = transaction_id
    join balances on balances.account_id = charges.account_id
    left join refund_totals
      on refund_totals.account_id = charges.account_id and payment_id = transaction_id
  where provider <> 'sandbox' and not is_disputed and transactions.status = 'succeeded'
    and charges.amount > coalesce(refund_totals.amount, 0) and available > 0
  order by transaction_id
  limit 2`

// These refunds are paid out without a response. Nothing else shows their outcome: messages have
// ended, and a worker asks for changes when it starts, then every minute. So a repeated call must
// find the refund of the first one.
const lose_refunds_ms = 2_000

async function loseRefunds(
  fleet: Fleet,
  { fake }: RunProvider,
  refund: (charge: ChargedPayment) => Promise<void>,
): Promise<void> {
  const session = new RunSession(fleet.database, 'chaos clock')
  const rows = await session.rows<{ account_id: string; transaction_id: string }>(refundable_query)
  fake.faults.set('POST /v1/refunds', Array(100).fill('bad_gateway'))
  for (const { account_id, transaction_id } of rows) {
    const account = toTypeId('account', account_id)
    await refund({ account, payment: toTypeId('transaction', transaction_id) })
  }
  await sleep(lose_refunds_ms)
  await session.rows(refunds_due)
  await session.close()
  await sleep(lose_refunds_ms)
  fake.faults.clear()
}

async function isSettled(fleet: Fleet, provider: RunProvider): Promise<boolean> {
  const session = new RunSession(fleet.database, 'chaos clock')
  const until_ms = performance.now() + settle_within_ms
  let least = Infinity
  let stuck_ms = performance.now() + stuck_after_ms
  while (least > 0 && performance.now() < Math.min(until_ms, stuck_ms)) {
    for (const statement of at_end) await session.rows(statement)
    await sleep(300)
    const open = await countOpen(session, provider)
    if (open >= least) continue
    least = open
    stuck_ms = performance.now() + stuck_after_ms
  }
  await session.close()
  return least === 0
}

/** Counts what Florin still has to do. Refunds whose key returns 500 stay open. */
async function countOpen(session: RunSession, { fake }: RunProvider): Promise<number> {
  const [row] = await session.rows<{ open: number; cursor: string | null }>(open_query)
  const refunds = await session.rows<{ id: string }>(open_refunds_query)
  const waiting = refunds.filter(({ id }) => !fake.frozen_keys.has(toTypeId('transaction', id)))
  const is_behind = fake.events.length > 0 && row?.cursor !== fake.events.at(-1)!.id
  return row!.open + waiting.length + (is_behind ? 1 : 0)
}

const open_query = `
  select (
      (select count(*) from provider_events where state = 'due')
      + (select count(*) from charges where provider <> 'sandbox' and fee is null)
      + (select count(*) from checkouts
        where provider_id is not null and state in ('creating', 'open', 'processing'))
    )::int as open,
    (select cursor from provider_states where provider = 'stripe') as cursor`
const open_refunds_query = `
  select id from provider_refunds where state in ('queued', 'submitted')`
