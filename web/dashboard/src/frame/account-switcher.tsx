import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccount } from '../api/account-settings.ts'
import { useAccountId, useOne } from '../api/use-florin.ts'
import { backdropClass, popupClass } from '../parts/confirm-dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { shortenId } from '../parts/short-id.tsx'

/** For those who run the service: whose account is looked at. It stands in the address. */
export function AccountSwitcher() {
  const [open, setOpen] = useState(false)
  const id = useAccountId()
  const { data: account } = useAccount()
  const name = id === undefined ? 'All accounts' : (account?.name ?? shortenId(id))
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        aria-label={`Account: ${name}. Switch`}
        className="flex h-9 max-w-48 min-w-0 items-center gap-1.5 rounded-lg border border-line px-3
 font-medium pointer-coarse:h-11 hover:border-line-strong"
      >
        <span className="truncate">{name}</span>
        <Icon name="chevron" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup className={popupClass}>
          <Dialog.Title className="mb-4 text-lg font-semibold">Switch account</Dialog.Title>
          <Choices onChoose={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Choices({ onChoose }: { onChoose: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const accounts = useOne(['accounts', 'to switch'], (florin, signal) =>
    florin.accounts.list({ limit: 100 }, { signal }),
  )
  const choose = (account: string | undefined) => {
    onChoose()
    void navigate({ to: '.', search: (search: object) => ({ ...search, account }) as never })
  }
  const wanted = typed.trim().toLowerCase()
  const rows = (accounts.data?.data ?? []).filter((row) =>
    `${row.name}\n${row.email}\n${row.id}`.toLowerCase().includes(wanted),
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (/^acct_[0-9a-z]{26}$/.test(wanted)) choose(wanted)
        else if (rows[0]) choose(rows[0].id)
      }}
    >
      <Field
        label="Name, email or id"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        hint="The newest 100 are listed; an id finds any."
        autoComplete="off"
      />
      <ul className="mt-3 max-h-72 overflow-y-auto">
        {wanted === '' && <Choice name="All accounts" note="" onClick={() => choose(undefined)} />}
        {rows.map((row) => (
          <Choice key={row.id} name={row.name} note={row.email} onClick={() => choose(row.id)} />
        ))}
      </ul>
    </form>
  )
}

function Choice(props: { name: string; note: string; onClick: () => void }) {
  return (
    <li>
      <button
        type="button"
        onClick={props.onClick}
        className="flex min-h-11 w-full items-center justify-between gap-4 rounded-lg px-2.5
 text-left
 hover:bg-canvas"
      >
        <span className="min-w-0 truncate font-medium">{props.name}</span>
        <span className="min-w-0 truncate text-xs text-muted">{props.note}</span>
      </button>
    </li>
  )
}
