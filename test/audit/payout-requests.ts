// The writes of payouts by an admin, for every-audit-entry.test.ts.

import { debtor, iban, PayoutFixtures } from '../payouts/payout-fixtures.ts'
import type { Florin } from '../support/florin.ts'
import type { Owner, Person } from '../support/people.ts'

type AuditedRequest = { path: string; body?: object; headers?: Record<string, string> }
type Row = [action: string, request: () => Promise<AuditedRequest>]

export function payoutRequests(florin: Florin, admin: Person, shop: Owner): Record<string, Row> {
  const fixtures = new PayoutFixtures(florin, admin)
  const headers = { 'florin-account': shop.account_id }
  const created = async () => fixtures.created(await fixtures.payable())
  let changes = 0
  return {
    'post /v1/payouts': [
      'payout.created',
      async () => {
        const { account_id } = await fixtures.payable()
        const body = { amount: 100 }
        return { path: '/v1/payouts', body, headers: { 'florin-account': account_id } }
      },
    ],
    'post /v1/payouts/{payout_id}/approve': [
      'payout.approved',
      async () => ({ path: `/v1/payouts/${(await created()).id}/approve` }),
    ],
    'post /v1/payouts/{payout_id}/cancel': [
      'payout.canceled',
      async () => ({ path: `/v1/payouts/${(await created()).id}/cancel` }),
    ],
    'post /v1/payouts/{payout_id}/resolve': [
      'payout.paid',
      async () => {
        const { id } = await fixtures.inTransit(await fixtures.payable())
        return { path: `/v1/payouts/${id}/resolve`, body: { status: 'paid' } }
      },
    ],
    'patch /v1/account/payout_destination': [
      'account.payout_destination_changed',
      async () => {
        const body = { name: `Acme ${++changes}`, iban }
        return { path: '/v1/account/payout_destination', body, headers }
      },
    ],
    'patch /v1/account/payout_limit': [
      'account.payout_limit_changed',
      async () => {
        const body = { approval_limit: ++changes }
        return { path: '/v1/account/payout_limit', body, headers }
      },
    ],
    'post /v1/payout_exports': [
      'payout_export.created',
      async () => {
        await fixtures.approved(await fixtures.payable())
        return { path: '/v1/payout_exports', body: { currency: 'USD', debtor } }
      },
    ],
  }
}
