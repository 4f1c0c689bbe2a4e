import { useRef, useState } from 'react'
import { useApiQuery, useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { showToast } from '../../parts/toast.tsx'

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
    showToast('Statement imported', `New entries: ${total}.`)
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
        <label className="grid gap-1.5 text-sm font-medium">
          File
          <input
            ref={input}
            type="file"
            className="w-full min-w-0 rounded-lg border border-line-strong text-sm font-normal
 text-muted file:mr-3 file:h-9 file:cursor-pointer file:rounded-l-lg file:border-0 file:border-r
 file:border-solid file:border-line-strong file:bg-canvas file:px-3 file:font-semibold
 file:text-ink pointer-coarse:file:h-11"
            aria-invalid={error !== undefined}
            aria-describedby={error === undefined ? undefined : 'file-error'}
          />
          {error && (
            <span id="file-error" className="text-sm font-normal text-red">
              {error}
            </span>
          )}
        </label>
        {maps.isSuccess && names.length === 0 && <ColumnMapHint />}
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

function ColumnMapHint() {
  return (
    <p className="text-xs text-muted">
      A CSV file needs{' '}
      <a
        href="/docs/guides/import-bank-statements#csv"
        className="text-brand underline"
        target="_blank"
        rel="noreferrer"
      >
        a column map
      </a>
      , which is saved with the API.
    </p>
  )
}
