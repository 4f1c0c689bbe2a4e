// GET /v1/account/attention: objects that need a person's attention. Each entry is the result of a
// filtered list, and `list` is the request that returns all of it, so counts and lists agree.

import { findOpenDisputeIds } from '../../disputes/find-dispute.ts'
import { getActingAccountId } from '../../identity/acting-account.ts'
import type { Caller } from '../../identity/caller.ts'
import { reachOf } from '../../identity/permissions.ts'
import { type CountedPayments, findPaymentIds } from '../../payments/find-payment.ts'
import { details_max } from '../../payments/transaction-details.ts'
import { readTime } from '../../postgres/clock.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { runQueuedSearch } from '../../postgres/search.ts'
import { toTypeId } from '../../primitives/ids.ts'
import { toIso } from '../../primitives/time.ts'
import type { Processor } from '../../processors/processor.ts'
import { findLatePaymentIds } from '../../transactions/get-charge.ts'
import {
  type CountedTransactions,
  findTransactionIds,
} from '../../transactions/list-transactions.ts'
import type { EndpointHealth } from '../../webhooks/endpoint.ts'
import { findEndpointIds } from '../../webhooks/find-endpoints.ts'

interface AttentionEntry {
  count: number
  ids: string[]
  /** The path and query of the request that lists all of them. */
  list: string
}

interface Attention {
  account_id: string
  at: string
  failed: AttentionEntry & { since: string }
  pending_long: AttentionEntry & { before: string }
  payments_failed: AttentionEntry & { since: string }
  payments_expiring: AttentionEntry & { by: string }
  late_payments: Omit<AttentionEntry, 'list'> & { since: string; list: string | null }
  disputes: AttentionEntry
  webhooks_failing: AttentionEntry | null
  webhooks_disabled: AttentionEntry | null
}

const count_max = 1_000
const ids_max = 5

const hour_ms = 3_600_000
const failed_ms = 24 * hour_ms
const expiring_ms = 72 * hour_ms

const report_advice = 'The report took too long. Retry in a few seconds.'

export async function reportAttention(
  db: Db,
  caller: Caller,
  processor: Processor,
): Promise<Attention> {
  const account_id = await getActingAccountId(db, caller)
  const now = (await readTime(db)).getTime()
  // Transaction lists filter by creation time, so allow for the processor's time to settle.
  const since = toIso(now - failed_ms - (processor.settle_after_ms ?? 0))
  const before = toIso(now - pendingLimit(processor))
  const payments_since = toIso(now - failed_ms)
  return runQueuedSearch(db, account_id, report_advice, async (tx) => {
    const finder = new EntryFinder(tx, account_id)
    const sees_webhooks = maySeeWebhooks(caller)
    return {
      account_id: toTypeId('account', account_id),
      at: toIso(now),
      failed: {
        since,
        ...(await finder.transactions({ status: 'failed', date_from: since }, 'newest')),
      },
      pending_long: {
        before,
        ...(await finder.transactions({ status: 'pending', date_to: before }, 'oldest')),
      },
      payments_failed: {
        since: payments_since,
        ...(await finder.payments({ status: 'failed', updated_from: payments_since }, 'newest')),
      },
      payments_expiring: {
        by: toIso(now + expiring_ms),
        ...(await finder.payments(expiring(now), 'oldest')),
      },
      late_payments: { since: payments_since, ...(await finder.latePayments(now - failed_ms)) },
      disputes: await finder.disputes(),
      webhooks_failing: sees_webhooks ? await finder.endpoints('failing') : null,
      webhooks_disabled: sees_webhooks ? await finder.endpoints('disabled') : null,
    }
  })
}

/** How long a transaction may be pending: an hour, or twice the processor's time to settle. */
function pendingLimit({ settle_after_ms }: Processor): number {
  return Math.max(hour_ms, 2 * (settle_after_ms ?? 0))
}

function expiring(now: number): CountedPayments {
  return {
    status: 'pending',
    // A request that expires now counts as expired: the worker is about to cancel it.
    expires_from: toIso(now + 1),
    expires_to: toIso(now + expiring_ms),
  }
}

/** Members, platforms and keys can read transactions, but not webhook endpoints. */
function maySeeWebhooks(caller: Caller): boolean {
  const reach = reachOf(caller, 'manage_webhooks')
  return reach !== 401 && reach !== 403
}

type Order = 'newest' | 'oldest'

class EntryFinder {
  readonly #tx: Tx
  readonly #account_id: string

  constructor(tx: Tx, account_id: string) {
    this.#tx = tx
    this.#account_id = account_id
  }

  async transactions(query: CountedTransactions, first: Order): Promise<AttentionEntry> {
    const order = { oldest_first: first === 'oldest', limit: count_max }
    const ids = await findTransactionIds(this.#tx, this.#account_id, query, order)
    return entry(ids, '/v1/transactions', query)
  }

  async payments(query: CountedPayments, first: Order): Promise<AttentionEntry> {
    const order = { oldest_first: first === 'oldest', limit: count_max }
    const ids = await findPaymentIds(this.#tx, this.#account_id, query, order)
    return entry(ids, '/v1/payments', query)
  }

  /** Null without late payments: the list names each of them. */
  async latePayments(since_ms: number) {
    const ids = await findLatePaymentIds(this.#tx, this.#account_id, since_ms, details_max)
    const listed = entry(ids, '/v1/transaction_details', { transaction_ids: ids.join() })
    return { ...listed, list: ids.length === 0 ? null : listed.list }
  }

  async disputes(): Promise<AttentionEntry> {
    const ids = await findOpenDisputeIds(this.#tx, this.#account_id, count_max)
    return entry(ids, '/v1/disputes', { status: 'open' })
  }

  async endpoints(health: EndpointHealth): Promise<AttentionEntry> {
    const ids = await findEndpointIds(this.#tx, this.#account_id, health)
    return entry(ids, '/v1/webhook_endpoints', { health })
  }
}

/** Statuses and timestamps contain no characters that need escaping in a query. */
function entry(ids: string[], path: string, query: object): AttentionEntry {
  const filters = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return {
    count: ids.length,
    ids: ids.slice(0, ids_max),
    list: `${path}?${filters.join('&')}`,
  }
}
