import { useState } from 'react'
import { JsonView } from './json-view.tsx'

const storage_key = 'florin-developer-details'

/** The object as the API returns it, folded unless the reader opened it on another page. */
export function DeveloperDetails({ value, label }: { value: unknown; label: string }) {
  const [open, setOpen] = useState(() => localStorage.getItem(storage_key) === 'open')
  const remember = (is_open: boolean) => {
    setOpen(is_open)
    localStorage.setItem(storage_key, is_open ? 'open' : 'closed')
  }
  return (
    <details
      open={open}
      onToggle={(event) => remember(event.currentTarget.open)}
      className="min-w-0 rounded-xl border border-line bg-card px-5 max-sm:px-4 lg:col-span-2"
    >
      <summary className="-mx-2 cursor-pointer rounded-lg px-2 py-4 font-semibold">
        Developer details
      </summary>
      {open && (
        <div className="pb-5">
          <JsonView value={value} label={label} />
        </div>
      )}
    </details>
  )
}
