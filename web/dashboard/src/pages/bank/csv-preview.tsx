import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { ColumnMap } from '../../../../../src/bank/statements/column-map.ts'
import { Money } from '../../parts/money.tsx'
import { type CsvStart, decodeStart, type ReadEntry, readEntries, readTable } from './csv-file.ts'

interface Preview {
  table?: CsvStart
  /** Undefined until all needed columns are named; a text if the server would reject the file. */
  entries?: ReadEntry[] | string | undefined
}

export function useCsvPreview(
  bytes: Uint8Array | undefined,
  map: ColumnMap,
  is_complete: boolean,
): Preview {
  const [preview, setPreview] = useState<Preview>({})
  const { encoding } = map
  const text = useMemo(() => bytes && decodeStart(bytes, encoding), [bytes, encoding])
  const key = JSON.stringify(map)
  useEffect(() => {
    let is_current = true
    const read = async () => {
      if (text === undefined) return setPreview({})
      const of_map: ColumnMap = JSON.parse(key)
      const table = await readTable(text, of_map)
      const entries = is_complete ? await readEntries(text, of_map) : undefined
      if (is_current) setPreview({ table, entries })
    }
    void read()
    return () => {
      is_current = false
    }
  }, [text, key, is_complete])
  return preview
}

/** The first rows as they are in the file. */
export function TablePreview({ of: { header, rows } }: { of: CsvStart }) {
  return (
    <Scrollable label="First rows of the file">
      <thead>
        <tr>
          {header.map((name, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position.
            <th key={at} scope="col" className={`${cellClass} font-semibold`}>
              {name || at + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position.
          <tr key={line} className="border-t border-line">
            {header.map((_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position.
              <td key={at} className={cellClass}>
                {row[at]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Scrollable>
  )
}

/** The first entries as the server would import them. */
export function EntriesPreview({ of: entries }: { of: ReadEntry[] | string }) {
  if (typeof entries === 'string') {
    return <p className="rounded-lg bg-amber-soft p-3 wrap-anywhere text-amber">{entries}</p>
  }
  if (entries.length === 0) return <p className="text-muted">The file has no entries.</p>
  return (
    <Scrollable label="First entries as they are imported">
      <thead>
        <tr>
          {['Booked', 'Amount', 'Name', 'Text'].map((name) => (
            <th
              key={name}
              scope="col"
              className={`${name === 'Amount' ? amountClass : cellClass} font-semibold`}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.line} className="border-t border-line">
            <td className={cellClass}>{entry.booked_on}</td>
            <td className={amountClass}>
              <Money amount={entry.amount} currency={entry.currency} />
            </td>
            <td className={cellClass}>{entry.name ?? '—'}</td>
            <td className={cellClass}>{entry.remittance ?? '—'}</td>
          </tr>
        ))}
      </tbody>
    </Scrollable>
  )
}

const cellClass = 'max-w-64 truncate px-3 py-1.5 text-left'
const amountClass = 'px-3 py-1.5 text-right'

function Scrollable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="font-medium">{label}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: must be scrollable by keyboard. */}
      <section tabIndex={0} aria-label={label} className="overflow-x-auto rounded-lg bg-canvas">
        <table className="w-full text-xs">{children}</table>
      </section>
    </div>
  )
}
