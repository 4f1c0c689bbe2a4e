// Runs a webhook dispatcher inside a test until it is stopped.

import type { TestContext } from 'node:test'
import { findRecipient } from '../../src/accounts/find-accounts.ts'
import type { Db } from '../../src/postgres/database.ts'
import type { Tracer } from '../../src/tracing/tracer.ts'
import { addressPolicy } from '../../src/webhooks/address-policy.ts'
import { Dispatcher, type DispatcherPace } from '../../src/webhooks/sending/dispatcher.ts'
import type { ResponseQuota } from '../../src/webhooks/sending/response-quota.ts'
import {
  openWebhookClient,
  type WebhookClientOptions,
} from '../../src/webhooks/sending/webhook-client.ts'
import type { Florin } from '../support/florin.ts'
import type { Owner } from '../support/people.ts'

interface DispatcherRun {
  /** Waits for a poll that starts after this call. */
  nextPoll(): Promise<void>
  stop(): Promise<void>
}

export const all_slots = Array.from({ length: 16 }, (_, slot) => slot)

interface DispatcherRunOptions extends WebhookClientOptions {
  pace?: Partial<DispatcherPace>
  quota?: ResponseQuota
  slots?: number[]
  tracer?: Tracer
}

function dispatcherFor(florin: Florin, db: Db, options: DispatcherRunOptions = {}): Dispatcher {
  const { pace, quota, tracer, ...webhookClient } = options
  const policy = addressPolicy(florin.config)
  return new Dispatcher({
    db,
    webhookClient: openWebhookClient(policy, webhookClient),
    findRecipient,
    report: (error) => {
      throw error
    },
    pace: { poll_ms: 50, ...pace },
    ...(quota && { quota }),
    tracer,
  })
}

/** Stops at the end of the test, before the database is dropped. */
export function startDispatcher(
  t: { after: TestContext['after'] },
  florin: Florin,
  options: DispatcherRunOptions = {},
  db = florin.db,
): DispatcherRun {
  const dispatcher = dispatcherFor(florin, db, options)
  const control = new AbortController()
  const { signal } = control
  const slots = options.slots ?? all_slots
  let rounds = 0
  const running = (async () => {
    for (; !signal.aborted; rounds++) await dispatcher.round({ slots, signal })
  })()
  const nextPoll = () => {
    // The current round may have polled already, so wait for the next one too.
    const target = rounds + 2
    return waitFor('the next poll', () => rounds >= target)
  }
  const stop = async () => {
    control.abort()
    await running
    await dispatcher.stop()
  }
  t.after(stop)
  return { nextPoll, stop }
}

interface CreatedEndpoint {
  id: string
  secret: string
}

export async function makeEndpoint(
  florin: Florin,
  owner: Owner,
  url: string,
  events = ['*'],
): Promise<CreatedEndpoint> {
  const body = { url, events }
  const made = await florin.call('POST', '/v1/webhook_endpoints', { token: owner.token, body })
  if (made.status !== 201) throw new Error(made.text)
  return made.body
}

/** Creates a transaction, which records an event. Returns its id. */
export async function makeTransaction(florin: Florin, owner: Owner): Promise<string> {
  const body = { account_id: owner.account_id, amount: 7_500, currency: 'USD', type: 'payment' }
  const made = await florin.call('POST', '/v1/transactions', { token: owner.token, body })
  if (made.status !== 201) throw new Error(made.text)
  return made.body.id
}

/** Makes all pending deliveries due. */
export async function makeDue(db: Db): Promise<void> {
  await db.pool.query(
    `update webhook_deliveries set next_at = now() - interval '1 second'
     where status = 'pending' and lease_id is null`,
  )
}

export async function waitFor(
  what: string,
  condition: () => Promise<boolean> | boolean,
  for_ms = 20_000,
): Promise<void> {
  const deadline_ms = Date.now() + for_ms
  while (!(await condition())) {
    if (Date.now() > deadline_ms) throw new Error(`timed out waiting for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
