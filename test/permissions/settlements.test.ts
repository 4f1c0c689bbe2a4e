// Every caller at the endpoints of settlements, which belong to the operator. The expected results
// are written by hand, independently of the code.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { insertSettlement } from '../settlements/insert-settlement.ts'
import { startFlorin } from '../support/florin.ts'
import { Fixtures } from './fixtures.ts'
import { testGrid } from './grid.ts'

const florin = await startFlorin()
const fixtures = new Fixtures(florin)
const known = await insertSettlement(florin.db)

async function idsOf(object: string): Promise<string[]> {
  if (object === 'unknown') return [toTypeId('settlement', newUuid(Date.now()))]
  if (object === 'known') return [known]
  return (await fixtures.userIds('badid')).map((id) => id.replace(/^usr/i, 'stl'))
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

for (const path of ['/v1/settlements', '/v1/reconciliation']) {
  testGrid(florin, fixtures, {
    endpoint: `GET ${path}`,
    requests: async () => [{ method: 'GET', path }],
    check: ({ body }) => assert.match(body.object, /^(list|reconciliation)$/),
    grid: `nothing${operators('ok')}`,
  })
}

for (const suffix of ['', '/entries']) {
  testGrid(florin, fixtures, {
    endpoint: `GET /v1/settlements/{settlement_id}${suffix}`,
    requests: async (_, object) =>
      (await idsOf(object)).map((id) => ({
        method: 'GET',
        path: `/v1/settlements/${id}${suffix}`,
      })),
    check: ({ body }) => assert.ok(suffix === '' ? body.id === known : body.data.length === 2),
    grid: `known unknown badid${operators('ok none none')}`,
  })
}
