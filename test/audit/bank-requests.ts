// The writes of bank details and bank statements by an admin, for every-audit-entry.test.ts.

import { columnMap } from '../bank/statements/write-samples.ts'
import { BankFixtures, fileOf } from '../bank-statements/bank-fixtures.ts'
import type { Florin } from '../support/florin.ts'
import type { Owner, Person } from '../support/people.ts'

type AuditedRequest = { path: string; body?: object | string; headers?: Record<string, string> }
type Row = [action: string, request: () => Promise<AuditedRequest>]

export function bankRequests(florin: Florin, admin: Person, shop: Owner): Record<string, Row> {
  const bank_path = '/v1/account/bank_details'
  const headers = { 'florin-account': shop.account_id }
  let holders = 0
  const newDetails = () => ({ name: `Acme ${++holders}`, iban: 'DE89370400440532013000' })
  const bank = new BankFixtures(florin, admin)
  const newFile = () => fileOf([{ signed: 1, text: 'x' }])
  async function bankEntry(): Promise<string> {
    const [statement] = await bank.import(newFile())
    return (await bank.entriesOf(statement.id))[0].id
  }
  return {
    'post /v1/account/bank_details': [
      'account.bank_details_set',
      async () => ({ path: bank_path, body: newDetails(), headers }),
    ],
    'delete /v1/account/bank_details': [
      'account.bank_details_removed',
      async () => {
        const options = { token: admin.token, body: newDetails(), headers }
        await florin.call('POST', bank_path, options)
        return { path: bank_path, headers }
      },
    ],
    'post /v1/bank_statements': [
      'bank_statement.imported',
      async () => ({
        path: '/v1/bank_statements',
        body: newFile(),
        headers: { 'content-type': 'application/octet-stream' },
      }),
    ],
    'post /v1/bank_entries/{entry_id}/match': [
      'bank_entry.matched',
      async () => {
        const payment_id = await bank.euroRequest(await bank.euroShop(), 100)
        return { path: `/v1/bank_entries/${await bankEntry()}/match`, body: { payment_id } }
      },
    ],
    'post /v1/bank_entries/{entry_id}/ignore': [
      'bank_entry.ignored',
      async () => ({ path: `/v1/bank_entries/${await bankEntry()}/ignore` }),
    ],
    'post /v1/bank_entries/{entry_id}/reopen': [
      'bank_entry.reopened',
      async () => ({ path: `/v1/bank_entries/${await bankEntry()}/reopen` }),
    ],
    'post /v1/bank_column_maps': [
      'bank_column_map.saved',
      async () => ({
        path: '/v1/bank_column_maps',
        body: { name: 'Bank', column_map: columnMap },
      }),
    ],
    'delete /v1/bank_column_maps/{name}': [
      'bank_column_map.deleted',
      async () => {
        const body = { name: 'Old bank', column_map: columnMap }
        await florin.call('POST', '/v1/bank_column_maps', { token: admin.token, body })
        return { path: `/v1/bank_column_maps/${encodeURIComponent(body.name)}` }
      },
    ],
  }
}
