import { lazy, Suspense, useState } from 'react'
import type { ColumnMap } from '../../../../../src/bank/statements/column-map.ts'
import type { BankColumnMap } from '../../api/api-types.ts'
import { useFlorin, useList, useRefresh, useUser } from '../../api/use-florin.ts'
import { AccountNumber } from '../../parts/account-number.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'
import { blank_map, type TypedMap, typedOf } from './typed-column-map.ts'

// Loaded when it opens: it contains a CSV reader.
const ColumnMapForm = lazy(() =>
  import('./column-map-form.tsx').then(({ ColumnMapForm }) => ({ default: ColumnMapForm })),
)

/** The name is the id. */
type MapRow = BankColumnMap & { id: string; column_map: ColumnMap }

/** How the CSV exports of banks are read. */
export function ColumnMaps() {
  const may_manage = useUser().may.includes('manage_bank_statements')
  const [edited, setEdited] = useState<TypedMap>()
  const query = useList<MapRow>(['column maps'], async (florin, _, signal) => {
    const { data } = await florin.bankColumnMaps.list({ signal })
    return { data: data.map((one) => ({ ...one, id: one.name }) as MapRow), has_more: false }
  })
  const actions: Column<MapRow> = {
    name: 'Actions',
    align: 'right',
    cell: (row) => <Actions of={row} edit={() => setEdited(typedOf(row.name, row.column_map))} />,
  }
  return (
    <Card
      title="Column maps"
      action={may_manage && <Button onClick={() => setEdited(blank_map)}>Add column map</Button>}
    >
      <DataList
        label="Column maps"
        query={query}
        columns={may_manage ? [...columns, actions] : columns}
        folded={({ column_map }) => <AccountNumber of={column_map.account} />}
        empty={none_yet}
        foot={false}
      />
      <Suspense>
        {edited && <ColumnMapForm start={edited} close={() => setEdited(undefined)} />}
      </Suspense>
    </Card>
  )
}

const columns: Column<MapRow>[] = [
  { name: 'Name', cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  {
    name: 'Bank account',
    from: 'md',
    cell: ({ column_map }) => <AccountNumber of={column_map.account} />,
  },
  { name: 'Currency', from: 'md', cell: ({ column_map }) => column_map.currency },
  {
    name: 'Changed',
    time: true,
    from: 'lg',
    align: 'right',
    cell: ({ updated_at }) => (
      <span className="text-muted">
        <When at={updated_at} />
      </span>
    ),
  },
]

const none_yet = {
  title: 'No column maps yet',
  text: 'A column map states which columns of a CSV file are the date, the amount and the payer.',
}

function Actions({ of: { name }, edit }: { of: MapRow; edit: () => void }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const remove = async () => {
    await florin.bankColumnMaps.delete(name)
    await refresh()
    showToast('Column map deleted')
  }
  return (
    <div className="flex justify-end gap-1">
      <Button tone="quiet" onClick={edit}>
        Change
        <span className="sr-only"> column map {name}</span>
      </Button>
      <ConfirmDialog
        trigger="Delete"
        tone="quiet"
        title={`Delete the column map ${name}?`}
        action="Delete column map"
        onConfirm={remove}
      >
        CSV files can no longer be imported with it. Imported statements stay as they are.
      </ConfirmDialog>
    </div>
  )
}
