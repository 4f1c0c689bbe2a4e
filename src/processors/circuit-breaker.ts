// After several failures in a row a provider is not called for a while. Its callers fail at once
// instead of waiting for a timeout each. One breaker per provider and process.

import { type Provider, ProviderError } from './provider.ts'

const failures_max = 5
const open_ms = 10_000

type Clock = () => number

/** Counts only calls with an unknown outcome: a provider that rejects a request is working. */
export function withCircuitBreaker(
  provider: Provider,
  now_ms: Clock = () => performance.now(),
): Provider {
  let failures = 0
  let open_until_ms = 0
  const guard =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (failures >= failures_max) {
        if (now_ms() < open_until_ms) throw notCalled(provider)
        // While this call runs, others still fail at once.
        open_until_ms = now_ms() + open_ms
      }
      try {
        const result = await call(...args)
        failures = 0
        return result
      } catch (error) {
        if (error instanceof ProviderError && error.is_final) failures = 0
        else failures += 1
        if (failures >= failures_max) open_until_ms = now_ms() + open_ms
        throw error
      }
    }
  return {
    ...provider,
    createCheckout: guard(provider.createCheckout),
    fetchSnapshot: guard(provider.fetchSnapshot),
    expireCheckout: guard(provider.expireCheckout),
    refund: guard(provider.refund),
    listChanges: guard(provider.listChanges),
    check: guard(provider.check),
    ...(provider.balance && {
      balance: {
        listEntries: guard(provider.balance.listEntries),
        listSettlements: guard(provider.balance.listSettlements),
      },
    }),
  }
}

function notCalled({ name }: Provider): ProviderError {
  const message = `${name} failed ${failures_max} times in a row, so it is not called for now.`
  return new ProviderError(message, { is_final: false, code: 'circuit_open' })
}
