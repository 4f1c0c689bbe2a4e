import { useRef, useState } from 'react'
import { useApiQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'
import { FileField } from './file-field.tsx'

/** Uploads a file of the bank. Importing it again changes nothing. */
export function ImportStatement() {
  const florin = useFlorin()
  const refresh = useRefresh()
  const input = useRef<HTMLInputElement>(null)
  const [open, setOpen] = useState(false)
  const [column_map, setColumnMap] = useState('')
  const [error, setError] = useState<string>()
  const maps = useApiQuery(
    ['bank column maps'],
    (api, signal) => api.bankColumnMaps.list({ signal }),
    { enabled: open },
  )
  const names = maps.data?.data.map(({ name }) => name) ?? []
  const upload = async () => {
    const file = input.current?.files?.[0]
    if (file === undefined) return
    const query = column_map === '' ? {} : { column_map }
    const { data } = await florin.bankStatements.import(file, query)
    const total = data.reduce((sum, { new_count }) => sum + new_count, 0)
    const known = data.reduce((sum, { entry_count }) => sum + entry_count, 0) - total
    const already = known === 0 ? '' : ` Already imported: ${known}.`
    showToast('Statement imported', `New entries: ${total}.${already}`)
    setOpen(false)
    await refresh()
  }
  return (
    <>
      <Button tone="primary" onClick={() => setOpen(true)}>
        Import statement
      </Button>
      <FormDialog
        open={open}
        onOpenChange={async (shown) => setOpen(shown)}
        title="Import a bank statement"
        text="camt.053, camt.054, MT940, OFX, or CSV with a saved column map. Up to 10 MiB."
        action="Import"
        isReady={() => {
          const is_chosen = input.current?.files?.length === 1
          setError(is_chosen ? undefined : 'Choose a file.')
          return is_chosen
        }}
        onSubmit={upload}
      >
        <FileField
          ref={input}
          label="File"
          error={error}
          hint={
            maps.isSuccess && names.length === 0
              ? 'A CSV file needs a column map. Add one at the end of this page.'
              : undefined
          }
        />
        {names.length > 0 && (
          <ChoiceField
            label="Column map, for CSV"
            value={column_map}
            onChange={setColumnMap}
            choices={{ '': 'None', ...Object.fromEntries(names.map((name) => [name, name])) }}
          />
        )}
      </FormDialog>
    </>
  )
}
