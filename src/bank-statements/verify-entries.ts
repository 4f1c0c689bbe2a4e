// Compares the bank entries that pay requests with the charges in the ledger: what arrived at the
// bank is what was recorded, once.

import { surplusOf } from '../payments/transfer-command.ts'
import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import { listTransferCharges } from '../transactions/charges.ts'
import { type PayingEntry, selectPayingEntries } from './queries.ts'

export async function verifyBankEntries(db: Queryable, range: AccountRange): Promise<Difference[]> {
  const charges = await listTransferCharges(db, range)
  return compareEntries(charges, await selectPayingEntries(db, range))
}

type TransferCharge = Awaited<ReturnType<typeof listTransferCharges>>[number]

/** Both lists must be about the same accounts. */
export function compareEntries(
  charges: readonly TransferCharge[],
  entries: readonly PayingEntry[],
): Difference[] {
  const charged = new Map(
    charges.map(({ account_id, charge_id, amount }) => [`${account_id} ${charge_id}`, amount]),
  )
  const differences = entries.flatMap((entry) => checkEntry(entry, charged))
  // What is left belongs to no entry.
  for (const [key, amount] of charged) {
    const [account_id, object] = key.split(' ') as [string, string]
    const found = `a charge of ${amount}`
    differences.push({ ...ruleOf(account_id), object, found, expected: 'a bank entry' })
  }
  return differences.slice(0, differences_max)
}

function ruleOf(account_id: string) {
  return { rule: 'bank_entries_match_charges', account_id: toTypeId('account', account_id) }
}

/** Takes the charges of the entry out of the map. */
function checkEntry(entry: PayingEntry, charged: Map<string, number>): Difference[] {
  const { account_id, amount, status } = entry
  const object = toTypeId('bank_entry', entry.id)
  const keys = [object, surplusOf(object)].map((charge_id) => `${account_id} ${charge_id}`)
  const found = keys.reduce((sum, key) => sum + (charged.get(key) ?? 0), 0)
  for (const key of keys) charged.delete(key)
  // A settling entry may have been recorded already.
  if (found === amount || (status === 'settling' && found === 0)) return []
  return [
    {
      ...ruleOf(account_id),
      object,
      found: `charges of ${found}`,
      expected: `${amount}, the amount of the entry`,
    },
  ]
}
