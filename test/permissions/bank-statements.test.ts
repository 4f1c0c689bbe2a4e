// Every caller at the endpoints of bank statements, which belong to the operator. The expected
// results are written by hand, independently of the code.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { columnMap } from '../bank/statements/write-samples.ts'
import { BankFixtures, fileOf } from '../bank-statements/bank-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { type Request, testGrid } from './grid.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const bank = new BankFixtures(florin, await fixtures.person('admin'))

const newFile = () => fileOf([{ signed: 1, text: 'x' }])
const importOne = async () => (await bank.import(newFile()))[0].id

async function idsOf(object: string, kind: 'bank_statement' | 'bank_entry'): Promise<string[]> {
  if (object === 'unknown') return [toTypeId(kind, newUuid(Date.now()))]
  if (object === 'badid') {
    const prefix = kind === 'bank_statement' ? 'stm' : 'bse'
    return (await fixtures.userIds('badid')).map((id) => id.replace(/^usr/i, prefix))
  }
  const statement_id = await importOne()
  return kind === 'bank_statement' ? [statement_id] : [(await bank.entriesOf(statement_id))[0].id]
}

const operators = (outcome: string) => `
dead     dead
member   scope
viewer   scope
owner    scope
owner2   scope
lone     scope
platform ${outcome}
admin    ${outcome}
key:*    scope
key2:*   scope
platform_key:* ${outcome}`

const of_service = `nothing${operators('ok')}`
const of_object = `known unknown badid${operators('ok none none')}`

const service = (endpoint: string, request: () => Request | Promise<Request>) =>
  testGrid(florin, fixtures, {
    endpoint,
    requests: async () => [await request()],
    check: ({ status }) => assert.equal(status, 200),
    grid: of_service,
  })

const octets = { 'content-type': 'application/octet-stream' }

service('POST /v1/bank_statements', () => ({
  method: 'POST',
  path: '/v1/bank_statements',
  body: newFile(),
  headers: octets,
}))
for (const list of ['bank_statements', 'bank_entries', 'bank_column_maps']) {
  service(`GET /v1/${list}`, () => ({ method: 'GET', path: `/v1/${list}` }))
}
const new_map = { name: 'Bank', column_map: columnMap }
const save_map = { method: 'POST', path: '/v1/bank_column_maps', body: new_map }
service('POST /v1/bank_column_maps', () => save_map)
service('DELETE /v1/bank_column_maps/{name}', async () => {
  const { token } = await fixtures.person('admin')
  await florin.call('POST', save_map.path, { token, body: new_map })
  return { method: 'DELETE', path: '/v1/bank_column_maps/Bank' }
})

const about = (
  endpoint: string,
  kind: 'bank_statement' | 'bank_entry',
  body?: () => Promise<object>,
) =>
  testGrid(florin, fixtures, {
    endpoint,
    requests: async (_, object) => {
      const [method, path] = endpoint.split(' ') as [string, string]
      const ids = await idsOf(object, kind)
      const sent = await body?.()
      return ids.map((id) => ({ method, path: path.replace(/\{\w+\}/, id), body: sent }))
    },
    check: ({ body: { id } }) => assert.ok(id),
    grid: of_object,
  })

about('GET /v1/bank_statements/{statement_id}', 'bank_statement')
about('GET /v1/bank_entries/{entry_id}', 'bank_entry')
about('POST /v1/bank_entries/{entry_id}/match', 'bank_entry', async () => ({
  payment_id: await bank.euroRequest(await bank.euroShop(), 100),
}))
about('POST /v1/bank_entries/{entry_id}/ignore', 'bank_entry')
about('POST /v1/bank_entries/{entry_id}/reopen', 'bank_entry')
