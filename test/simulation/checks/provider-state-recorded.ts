// After the last sweep nothing is left open: Florin has the provider's fees, disputes and ended
// checkouts, and every message was processed and belongs to a checkout.

import type { Final, History } from '../history.ts'
import type { ProviderState } from '../provider/provider-history.ts'

export function providerStateRecorded({ final, provider }: History): string[] {
  if (provider === undefined) return []
  return [
    ...checkFees(provider, final),
    ...checkDisputes(provider, final),
    ...checkSessions(provider, final),
    ...final.recorded.inbox
      .filter(({ state }) => state !== 'done')
      .map(({ event, session, state }) => `the message ${event} about ${session} is ${state}`),
  ]
}

function checkFees({ charges }: ProviderState, { recorded }: Final): string[] {
  return charges.flatMap(({ id, fee }) => {
    const row = recorded.charges.find(({ charge }) => charge === id)
    return row === undefined || row.fee === fee
      ? []
      : [`the fee of ${id} is ${fee}, not ${row.fee}`]
  })
}

function checkDisputes({ disputes }: ProviderState, { recorded }: Final): string[] {
  const known = new Set(disputes.map(({ id }) => id))
  const invented = recorded.disputes
    .filter(({ dispute }) => !known.has(dispute))
    .map(({ dispute }) => `${dispute} was never opened`)
  const wrong = disputes.flatMap(({ id, charge, amount, status }) => {
    const rows = recorded.disputes.filter(({ dispute }) => dispute === id)
    const [row] = rows
    if (row === undefined || rows.length !== 1) return [`${id} was recorded ${rows.length} times`]
    const payment = recorded.charges.find((each) => each.charge === charge)?.transaction
    const is_right = row.amount === amount && row.status === status && row.payment === payment
    const what = `${id} of ${charge} is ${status} with ${amount}`
    return is_right ? [] : [`${what}, recorded as ${row.status} with ${row.amount}`]
  })
  return [...invented, ...wrong]
}

const ended = new Set(['paid', 'failed', 'ended'])

// A session whose id never reached Florin has no payer either, because no one got its address.
function checkSessions({ sessions }: ProviderState, { recorded }: Final): string[] {
  const checkouts = new Map(recorded.checkouts.map((row) => [row.id, row]))
  return sessions.flatMap(({ id, checkout, status }) => {
    const row = checkouts.get(checkout ?? '')
    if (row === undefined) return [`${id} has no checkout: the intent was not stored first`]
    if (row.session === null || status === 'open') return []
    if (row.session !== id) return [`${row.id} has two sessions: ${id} and ${row.session}`]
    return ended.has(row.state) ? [] : [`${row.id} is ${row.state}, but ${id} is ${status}`]
  })
}
