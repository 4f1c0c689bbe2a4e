import { useState } from 'react'
import { useFlorin } from '../../api/use-florin.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { saveFile } from '../../parts/save-file.ts'
import type { StatementPeriod } from './statement-period.ts'

const formats = { beancount: 'beancount', hledger: 'hledger', csv: 'CSV' }
const extensions = { beancount: 'beancount', hledger: 'journal', csv: 'csv' }

// Allows for a large file on a slow connection.
const download_ms = 10 * 60_000

/** Every posting of the period with both of its sides, for accounting tools. */
export function ExportJournal({ period }: { period: StatementPeriod | undefined }) {
  const florin = useFlorin()
  const [format, setFormat] = useState<keyof typeof formats>('beancount')
  const download = async () => {
    if (period === undefined) return
    const { first, last, from, to } = period
    const options = { timeout_ms: download_ms }
    const text = await florin.account.getJournal({ format, from, to }, options)
    const type = format === 'csv' ? undefined : 'text/plain;charset=utf-8'
    saveFile(`journal-${first}-${last}.${extensions[format]}`, text, type)
  }
  return (
    <FormDialog
      trigger="Export journal"
      title="Export a journal"
      text="Every posting of the selected period, with both of its sides, for your accountant."
      action="Download"
      disabled={period === undefined}
      onSubmit={download}
    >
      <ChoiceField label="Format" value={format} choices={formats} onChange={setFormat} />
    </FormDialog>
  )
}
