// Account names in lists and details, for admins who view all accounts.

import { useAccountId, useUser } from '../../api/use-florin.ts'
import type { Column } from '../../parts/data-list.tsx'
import { ShortId, shortenId } from '../../parts/short-id.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { NamedLink } from '../audit/named-link.tsx'
import { useDisplayName } from '../audit/use-display-name.ts'

interface AccountRow {
  account_id: string
}

/** Adds the account column after the status, unless a single account is selected. */
export function useColumnsWithAccount<Row extends AccountRow>(
  columns: Column<Row>[],
): Column<Row>[] {
  if (useAccountId() !== undefined) return columns
  const account = { name: 'Account', from: 'md', cell: nameOf } as const
  // A narrow page does not fit both account and reference.
  const rest = columns
    .slice(2)
    .map((column) => (column.name === 'Reference' ? { ...column, from: 'xl' as const } : column))
  return [...columns.slice(0, 2), account, ...rest]
}

function nameOf({ account_id }: AccountRow) {
  return <AccountName id={account_id} />
}

/** Not a link: the row already is one. */
export function AccountName({ id }: { id: string }) {
  const name = useDisplayName(id)
  return name === undefined ? <ShortId id={id} /> : <TruncatedText text={name} />
}

export function FoldedAccount({ id }: { id: string }) {
  const over_all = useAccountId() === undefined
  return over_all && <FoldedName id={id} />
}

function FoldedName({ id }: { id: string }) {
  return <div className="font-medium text-ink">{useDisplayName(id) ?? shortenId(id)}</div>
}

/** On detail pages: a link by name for users who may view accounts, else the id. */
export function AccountFact({ id }: { id: string }) {
  const named = useUser().may.includes('retrieve_account_by_id')
  return named ? <NamedLink id={id} /> : <ShortId id={id} copy />
}
