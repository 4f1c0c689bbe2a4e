// Settlements of payment providers, and the comparison with the ledger. For operators only.

import { Type } from 'typebox'
import { getReconciliation } from '../../operations/reconcile.ts'
import {
  getSettlement,
  listSettlementEntries,
  listSettlements,
} from '../../settlements/find-settlements.ts'
import { route } from '../route.ts'
import { cursorList, cursorQuery, idOf } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { moneyFilters, providerField, statusField } from '../schemas/settlement.ts'

const tags = ['Settlements']
const access = { token: 'required', operation: 'read_settlements' } as const
const params = Type.Object({ settlement_id: idOf('stl', 'The id of the settlement.') })
const unknown = ['not_found', 'No settlement with this id exists.'] as const

export const listSettlementsRoute = route({
  method: 'GET',
  url: '/v1/settlements',
  access,
  schema: {
    tags,
    operationId: 'listSettlements',
    summary: 'List settlements',
    description:
      'For admins and platforms. Returns the transfers from payment providers to the bank ' +
      'account of the operator, newest first. A worker imports them every ten minutes.',
    querystring: Type.Object({
      ...cursorQuery,
      provider: Type.Optional(providerField),
      status: Type.Optional(statusField),
      ...moneyFilters,
    }),
  },
  success: [200, 'A page of settlements.', cursorList('Settlement')],
  refusals: [refused.badCursor, refused.notPermitted],
  handler: ({ query }, { db }) => listSettlements(db, query),
})

export const getSettlementRoute = route({
  method: 'GET',
  url: '/v1/settlements/:settlement_id',
  access,
  schema: {
    tags,
    operationId: 'getSettlement',
    summary: 'Retrieve a settlement',
    description:
      'For admins and platforms. Returns a settlement with the sums of its entries. What it ' +
      'contains beyond its entries is a separate line, remainder.',
    params,
  },
  success: [200, 'The settlement.', Type.Ref('Settlement')],
  refusals: [refused.notPermitted, unknown],
  handler: ({ params }, { db }) => getSettlement(db, params.settlement_id),
})

export const listSettlementEntriesRoute = route({
  method: 'GET',
  url: '/v1/settlements/:settlement_id/entries',
  access,
  schema: {
    tags,
    operationId: 'listSettlementEntries',
    summary: 'List the entries of a settlement',
    description:
      'For admins and platforms. Returns the charges, refunds, disputes and fees that a ' +
      'settlement pays out, newest first.',
    params,
    querystring: Type.Object(cursorQuery),
  },
  success: [200, 'A page of entries.', cursorList('BalanceEntry')],
  refusals: [refused.badCursor, refused.notPermitted, unknown],
  handler: ({ params, query }, { db }) => listSettlementEntries(db, params.settlement_id, query),
})

export const getReconciliationRoute = route({
  method: 'GET',
  url: '/v1/reconciliation',
  access,
  schema: {
    tags,
    operationId: 'getReconciliation',
    summary: 'Retrieve the reconciliation',
    description:
      'For admins and platforms. Returns the ledger, the payment providers and the bank side by ' +
      'side, as a worker last compared them. It compares every hour, and florin reconcile at ' +
      'any time.',
  },
  success: [200, 'The last comparison.', Type.Ref('Reconciliation')],
  refusals: [refused.notPermitted],
  handler: (_, { db }) => getReconciliation(db),
})

export const settlementRoutes = [
  listSettlementsRoute,
  getSettlementRoute,
  listSettlementEntriesRoute,
  getReconciliationRoute,
]
