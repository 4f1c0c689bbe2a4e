// Search, opened by / or ⌘K: finds objects by id and pages by name.

import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { backdropClass } from '../parts/confirm-dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { type SearchResult, useSearchResults } from './use-search-results.ts'

export function SearchDialog() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const command = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k'
      if (!command && (event.key !== '/' || isTyping(event.target))) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger
        className="@container flex h-9 max-w-[420px] min-w-11 flex-1 items-center gap-2 rounded-lg
 border border-line bg-canvas px-3 text-left text-muted pointer-coarse:h-11
 hover:border-line-strong"
      >
        <Icon name="search" />
        {/* Next to a long account name on a phone only the icon is shown. */}
        <span className="truncate @max-[80px]:sr-only">
          Search<span className="max-sm:hidden"> by ID or page</span>
        </span>
        <kbd
          className="ml-auto rounded border border-line bg-card px-1.5 font-sans text-xs
 max-sm:hidden"
        >
          /
        </kbd>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={backdropClass} />
        <Dialog.Popup
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-lg -translate-x-1/2
 overflow-hidden rounded-2xl border border-line bg-card shadow-raised"
        >
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <Finder close={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  )
}

function Finder({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  // Enter pressed before the response arrived: opens the result once it is there.
  const [eager, setEager] = useState(false)
  const { results, busy, reason } = useSearchResults(typed.trim())
  const go = (result: SearchResult | undefined) => {
    if (result === undefined) return
    close()
    void navigate({
      to: result.to as never,
      params: { id: result.id } as never,
      search: (result.account === undefined ? {} : { account: result.account }) as never,
    })
  }
  const first = results[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the response arrives.
  useEffect(() => {
    if (eager && !busy) go(first)
  }, [eager, busy, first?.id])
  const move = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter' && busy) setEager(true)
    else if (event.key === 'Enter') go(results[at])
    if (step === undefined || results.length === 0) return
    event.preventDefault()
    setAt((at + step + results.length) % results.length)
  }
  return (
    <>
      <input
        role="combobox"
        aria-label="Search by ID or page name"
        aria-expanded={results.length > 0}
        aria-controls="search-results"
        aria-activedescendant={results.length > 0 ? `result-${at}` : undefined}
        placeholder="txn_…, pay_… or a page name"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onKeyDown={move}
        onChange={(event) => {
          setTyped(event.target.value)
          setAt(0)
          setEager(false)
        }}
        className="h-13 w-full border-b border-line bg-card px-4 text-base outline-none
 placeholder:text-muted"
      />
      {results.length === 0 && (
        <p role="status" className="px-4 py-6 text-muted">
          {busy ? 'Searching…' : reason}
        </p>
      )}
      <div
        id="search-results"
        role="listbox"
        aria-label="Results"
        className="max-h-[50vh] overflow-y-auto p-1.5"
      >
        {results.map((result, index) => (
          <button
            key={result.to + result.name}
            id={`result-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => go(result)}
            ref={(element) => void (index === at && element?.scrollIntoView({ block: 'nearest' }))}
            className="flex min-h-11 w-full items-center gap-3 rounded-lg px-3 text-left
 aria-selected:bg-brand-soft aria-selected:text-brand"
          >
            <Icon name={result.icon} />
            <span className="min-w-0 flex-1 truncate font-medium">{result.name}</span>
            {result.note && <span className="text-xs text-muted">{result.note}</span>}
          </button>
        ))}
      </div>
    </>
  )
}
