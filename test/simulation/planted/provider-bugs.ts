// Bugs in the code that takes payments through a provider. Each has lost or invented money in real
// services. They run with the stand-in for Stripe.

import type { PlantedBug } from './planted-bugs.ts'

const stripe = 'src/processors/stripe.ts'

export const provider_bugs = {
  'trust-webhook-body': {
    what: 'the message "completed" counts as paid',
    instances: 1,
    faults: ['reset-clients'],
    swaps: [
      {
        file: stripe,
        from: 'return { event_id, provider_id: object.id }',
        to: `return {
    event_id,
    provider_id: (type === 'checkout.session.completed' ? 'paid ' : '') + object.id,
  }`,
      },
      {
        file: stripe,
        from: `    const session = await findSession(stripe, id)
    return session && snapshotOf(stripe, session)`,
        to: `    const session = await findSession(stripe, id.replace('paid ', ''))
    const snapshot = session && (await snapshotOf(stripe, session))
    if (!snapshot || !id.startsWith('paid ')) return snapshot
    const paid = { id: 'ch_of_' + session.id, amount: snapshot.amount, fee: null, card: null }
    return { ...snapshot, state: 'paid', charge: snapshot.charge ?? paid }`,
      },
    ],
  },
  'settle-on-return': {
    what: 'a payer who returns from the provider counts as paid',
    instances: 1,
    faults: ['reset-clients'],
    swaps: [
      {
        file: 'src/http/routes/pay-checkout.ts',
        from: 'receiveSnapshot(context, provider, provider_id!)',
        to: `receiveSnapshot(context, { ...provider, async fetchSnapshot(session_id) {
      const snapshot = await provider.fetchSnapshot(session_id)
      if (!snapshot) return undefined
      const paid = { id: 'ch_of_' + session_id, amount: snapshot.amount, fee: null, card: null }
      return { ...snapshot, state: 'paid', charge: snapshot.charge ?? paid }
    } }, provider_id!)`,
      },
    ],
  },
  'new-key-on-retry': {
    what: 'a refund with unknown outcome is repeated with a new idempotency key',
    instances: 1,
    faults: ['reset-clients'],
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
    faults: ['reset-clients'],
    swaps: [
      {
        file: stripe,
        from: 'const is_final = final_errors.some((kind) => error instanceof kind)',
        to: 'const is_final = final_errors.some((kind) => kind !== undefined)',
      },
    ],
  },
  'drop-late-money': {
    what: 'money for a request that has ended is ignored',
    instances: 1,
    faults: ['reset-clients'],
    swaps: [
      {
        file: 'src/payments/decide-checkout.ts',
        from: "  const is_late = row.status !== 'pending' || charge.amount !== row.amount\n",
        to: `  const is_late = row.status !== 'pending' || charge.amount !== row.amount
  if (is_late) return undefined
`,
      },
    ],
  },
  'no-event-dedup': {
    what: 'a repeated message is processed again, and applying it again posts the fee again',
    instances: 1,
    faults: ['reset-clients'],
    swaps: [
      {
        file: 'src/processors/queries.ts',
        from: '    where provider_events.event_id = excluded.provider_id`)',
        to: '    where true`)',
      },
      {
        file: 'src/transactions/charges.ts',
        from: 'if (fee === null || charge.fee !== null) return',
        to: 'if (fee === null) return',
      },
    ],
  },
} as const satisfies Record<string, PlantedBug>

export type ProviderBugName = keyof typeof provider_bugs
export const providerBugNames = Object.keys(provider_bugs) as ProviderBugName[]

export function isProviderBug(name: string | undefined): name is ProviderBugName {
  return name !== undefined && name in provider_bugs
}
