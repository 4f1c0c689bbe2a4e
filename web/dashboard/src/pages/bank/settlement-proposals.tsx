import { useState } from 'react'
import type { BankEntry, Settlement } from '../../api/api-types.ts'
import { useApiQuery, useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { IdLink } from '../../parts/id-link.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showErrorToast, showToast } from '../../parts/toast.tsx'
import { ArrivalDay } from '../reconciliation/settlements-card.tsx'
import { providerName } from '../transactions/provider-text.ts'
import { signedAmount } from './entry-text.ts'

/** The settlements that an open entry may show, or take back, and that have no other such entry. */
export function SettlementProposals({ entry }: { entry: BankEntry }) {
  const { may } = useUser()
  const is_reversed = entry.is_reversal || entry.return_reason !== null
  const expected = useWithAmount(entry, signedAmount(entry)).filter(isExpected)
  const returned = useWithAmount(entry, 0 - signedAmount(entry)).filter(isShown)
  const possible = is_reversed ? returned : [...expected, ...returned]
  if (possible.length === 0) return null
  return (
    <Card title="Settlements with this amount">
      <ul className="grid gap-3">
        {possible.map((settlement) => (
          <li key={settlement.id} className="flex flex-wrap items-center justify-between gap-3">
            <span className="min-w-0">
              <IdLink id={settlement.id} to="/reconciliation/$id" />
              <span className="block text-sm text-muted">
                {providerName(settlement.provider)},{' '}
                {isShown(settlement)
                  ? 'shown by another entry, which this one may take back'
                  : 'expected'}{' '}
                <ArrivalDay of={settlement} />
              </span>
            </span>
            {may.includes('manage_bank_statements') && (
              <Match entry={entry} settlement={settlement} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function useWithAmount({ currency }: BankEntry, amount: number): Settlement[] {
  const { may } = useUser()
  const { data } = useApiQuery(
    ['settlements', 'proposals', { amount, currency }],
    (florin, signal) => florin.settlements.list({ amount, currency, limit: 10 }, { signal }),
    { enabled: may.includes('read_settlements') },
  )
  return data?.data ?? []
}

function isExpected({ status, bank_entry_id }: Settlement): boolean {
  return bank_entry_id === null && status !== 'canceled'
}

function isShown({ bank_entry_id, returned_entry_id }: Settlement): boolean {
  return bank_entry_id !== null && returned_entry_id === null
}

function Match({ entry, settlement }: { entry: BankEntry; settlement: Settlement }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const match = async () => {
    setBusy(true)
    try {
      await florin.bankEntries.match(entry.id, { settlement_id: settlement.id })
      await refresh()
      showToast(
        'Entry matched',
        isShown(settlement) ? 'It takes this settlement back.' : 'It shows this settlement.',
      )
    } catch (error) {
      showErrorToast('The entry was not matched', reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button tone="primary" disabled={busy} onClick={match}>
      Match
      <span className="sr-only"> settlement {settlement.provider_id}</span>
    </Button>
  )
}
