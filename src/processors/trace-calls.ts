// Records a span for each call to a payment provider. Providers get no `traceparent`: they do not
// use it, and ids of internal requests are not theirs to know.

import type { Tracer } from '../tracing/tracer.ts'
import { type Provider, ProviderError } from './provider.ts'

export function withTracing(provider: Provider, tracer: Tracer): Provider {
  const { name } = provider
  const traced =
    <Args extends unknown[], Result>(
      operation: string,
      call: (...args: Args) => Promise<Result>,
      idsOf: (...args: Args) => Record<string, string | undefined> = () => ({}),
    ) =>
    async (...args: Args): Promise<Result> => {
      const span = tracer.startCurrent({ name: `${name} ${operation}`, kind: 'client' })
      if (span === undefined) return call(...args)
      span.set({ 'florin.provider': name, 'florin.operation': operation, ...idsOf(...args) })
      try {
        return await call(...args)
      } catch (error) {
        span.error_type = errorType(error)
        throw error
      } finally {
        span.end()
      }
    }
  const byId = (provider_id: string) => ({ 'florin.provider_id': provider_id })
  return {
    ...provider,
    createCheckout: traced('createCheckout', provider.createCheckout, (checkout) => ({
      'florin.account_id': checkout.account_id,
      'florin.checkout_id': checkout.id,
    })),
    fetchSnapshot: traced('fetchSnapshot', provider.fetchSnapshot, byId),
    expireCheckout: traced('expireCheckout', provider.expireCheckout, byId),
    refund: traced('refund', provider.refund, ({ transaction_id, provider_id }) => ({
      'florin.transaction_id': transaction_id,
      'florin.provider_id': provider_id,
    })),
    listChanges: traced('listChanges', provider.listChanges),
    ...(provider.balance && {
      balance: {
        listEntries: traced('listEntries', provider.balance.listEntries),
        listSettlements: traced('listSettlements', provider.balance.listSettlements),
      },
    }),
  }
}

/** Never the message: providers quote email addresses. */
function errorType(error: unknown): string {
  if (error instanceof ProviderError && error.code !== undefined) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
