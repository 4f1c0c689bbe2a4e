import type { Db } from '../../src/postgres/database.ts'
import { newRealTimeUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { BalanceEntry, Provider, ProviderSettlement } from '../../src/processors/provider.ts'
import { importBalance } from '../../src/settlements/import-balance.ts'

const at = new Date('2026-11-02T09:00:00Z')
const account_id = toTypeId('account', newRealTimeUuid(at.getTime()))

function entryOf(id: string, kind: BalanceEntry['kind'], amount: number, fee = 0): BalanceEntry {
  const currency = 'EUR'
  const charged = { amount, fee, currency }
  const source_id = kind === 'other' ? null : `${kind}_of_${id}`
  const account = kind === 'charge' ? account_id : null
  const ids = { source_id, charge_id: null, account_id: account }
  return { id, kind, ...ids, amount, fee, currency, charged, at }
}

const entries = (id: string) => [
  entryOf(`txn_${id}_1`, 'charge', 10_000, 320),
  entryOf(`txn_${id}_2`, 'refund', -1_500),
]

const settlementOf = (id: string, amount: number): ProviderSettlement => ({
  id,
  amount,
  currency: 'EUR',
  status: 'paid',
  grouping: 'complete',
  created_at: at,
  arrives_at: new Date('2026-11-04T00:00:00Z'),
  references: [`TRACE${id}`],
})

/** Imports settlements of a charge and a refund, whose entries add up to 8180, and its amount. */
export async function insertSettlement(
  db: Db,
  id = 'po_1',
  amount = 8_180,
  name: Provider['name'] = 'stripe',
): Promise<string> {
  const page = <Row>(rows: Row[]) => ({ rows, next: undefined })
  const balance: Provider['balance'] = {
    listEntries: async (filter) => page('since' in filter ? [] : entries(filter.settlement_id)),
    listSettlements: async () => page([settlementOf(id, amount)]),
  }
  await importBalance(db, { name, balance } as Provider)
  const { rows } = await db.pool.query('select id from settlements where provider_id = $1', [id])
  return toTypeId('settlement', rows[0].id)
}
