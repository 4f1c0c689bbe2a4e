// Bugs in the code that takes payments through a provider. Each has lost or invented money in real
// services. They run with the stand-in for Stripe.

import type { PlantedBug } from './planted-bugs.ts'

const stripe = 'src/processors/stripe.ts'

export const provider_bugs = {
  'new-key-on-retry': {
    what: 'a refund with unknown outcome is repeated with a new idempotency key',
    instances: 1,
    faults: ['kill-server'],
    swaps: [
      {
        file: stripe,
        from: '{ idempotencyKey: transaction_id }',
        to: "{ idempotencyKey: transaction_id + '-' + Math.random() }",
      },
    ],
  },
  'unknown-is-failed': {
    what: 'a lost response counts as a rejection',
    instances: 1,
    faults: ['kill-server'],
    swaps: [
      {
        file: stripe,
        from: 'const is_final = final_errors.some((kind) => error instanceof kind)',
        to: 'const is_final = final_errors.some((kind) => kind !== undefined)',
      },
    ],
  },
} as const satisfies Record<string, PlantedBug>

export type ProviderBugName = keyof typeof provider_bugs
export const providerBugNames = Object.keys(provider_bugs) as ProviderBugName[]

export function isProviderBug(name: string | undefined): name is ProviderBugName {
  return name !== undefined && name in provider_bugs
}
