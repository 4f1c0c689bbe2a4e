// The writes of transfers by an admin, for every-audit-entry.test.ts.

import type { Florin } from '../support/florin.ts'
import type { Owner, Person } from '../support/people.ts'
import { TransferFixtures } from '../transfers/transfer-fixtures.ts'

type AuditedRequest = { path: string; body?: object; headers?: Record<string, string> }
type Row = [action: string, request: () => Promise<AuditedRequest>]

export function transferRequests(florin: Florin, admin: Person, shop: Owner): Record<string, Row> {
  const fixtures = new TransferFixtures(florin, admin)
  const headers = { 'florin-account': shop.account_id }
  const fee_path = '/v1/account/transfer_fee'
  const newFee = async () => ({ path: fee_path, body: await fixtures.newFee(), headers })
  return {
    'post /v1/transfers': [
      'transfer.created',
      async () => ({ path: '/v1/transfers', body: await fixtures.newTransfer(shop), headers }),
    ],
    'post /v1/account/transfer_fee': ['account.transfer_fee_updated', newFee],
    'delete /v1/account/transfer_fee': [
      'account.transfer_fee_updated',
      async () => {
        const { body } = await newFee()
        await florin.call('POST', fee_path, { token: admin.token, body, headers })
        return { path: fee_path, headers }
      },
    ],
  }
}
