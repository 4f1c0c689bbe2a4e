// Records related to a transaction: refunds, events and webhook deliveries.

import type {
  FlorinEvent,
  ListedTransaction,
  ListedWebhookDelivery,
  Transaction,
  TransactionDetails,
} from '../../api/api-types.ts'
import { useApiQuery, useUser } from '../../api/use-florin.ts'

export interface RelatedRecords {
  refunds: ListedTransaction[] | undefined
  details: TransactionDetails | undefined
  events: FlorinEvent[]
  deliveries: ListedWebhookDelivery[]
  /** The first load error, with a retry. */
  failure: { error: Error; retry: () => void } | undefined
}

export function useRelatedRecords(transaction: Transaction): RelatedRecords {
  const user = useUser()
  const { id, status, type } = transaction
  const on = useAccountOption(transaction)
  const refunds = useApiQuery(
    ['transactions', 'refunds of', id],
    async (florin, signal) =>
      (await florin.transactions.listRefunds(id, { limit: 100 }, { signal, ...on })).data,
    { enabled: type === 'payment' && status === 'succeeded' },
  )
  const details = useApiQuery(
    ['transactions', 'details of', id, status],
    async (florin, signal) => {
      const query = { transaction_ids: id }
      return (await florin.transactions.listDetails(query, { signal, ...on })).data[0]
    },
  )
  const events = useApiQuery(
    ['events', 'of', id, status],
    async (florin, signal) =>
      (await florin.events.list({ object: id, limit: 100 }, { signal, ...on })).data,
    { enabled: user.may.includes('read_events') },
  )
  const event_ids = (events.data ?? []).slice(0, events_max).map((event) => event.id)
  const deliveries = useApiQuery(
    ['deliveries', 'of', event_ids],
    async (florin, signal) => {
      const load = (event_id: string) =>
        florin.webhookDeliveries.list({ event_id, limit: 20 }, { signal, ...on })
      return (await Promise.all(event_ids.map(load))).flatMap((page) => page.data)
    },
    { enabled: user.may.includes('manage_webhooks') && event_ids.length > 0 },
  )
  const failed = [refunds, details, events, deliveries].find((query) => query.isError)
  return {
    refunds: refunds.data,
    details: details.data,
    events: events.data ?? [],
    deliveries: deliveries.data ?? [],
    failure: failed && { error: failed.error!, retry: () => void failed.refetch() },
  }
}

// Limits the number of requests. A transaction usually has two or three events.
const events_max = 10

/** Admins who view all accounts must name the transaction's account. */
export function useAccountOption({ account_id }: { account_id: string }): { account?: string } {
  return useUser().account_id === null ? { account: account_id } : {}
}
