// Whose it is, for those who see the money of all accounts.

import { useAccountId, useUser } from '../../api/use-florin.ts'
import type { Column } from '../../parts/data-list.tsx'
import { ShortId, shortenId } from '../../parts/short-id.tsx'
import { TruncatedText } from '../../parts/truncated-text.tsx'
import { NamedLink } from '../audit/named-link.tsx'
import { useDisplayName } from '../audit/use-display-name.ts'

interface Owned {
  account_id: string
}

/** Its place is after the status. Of one account all lines are its own, and none says so. */
export function useColumnsWithAccount<Row extends Owned>(columns: Column<Row>[]): Column<Row>[] {
  if (useAccountId() !== undefined) return columns
  const account = { name: 'Account', from: 'md', cell: nameOf } as const
  // A narrow page has no room for both.
  const rest = columns
    .slice(2)
    .map((column) => (column.name === 'Reference' ? { ...column, from: 'xl' as const } : column))
  return [...columns.slice(0, 2), account, ...rest]
}

function nameOf({ account_id }: Owned) {
  return <AccountName id={account_id} />
}

/** The row around it is a link already, so this is none. */
function AccountName({ id }: { id: string }) {
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

/** Among the facts of one thing: by name for those who may know it, else the id to copy. */
export function AccountFact({ id }: { id: string }) {
  const named = useUser().may.includes('retrieve_account_by_id')
  return named ? <NamedLink id={id} /> : <ShortId id={id} copy />
}
