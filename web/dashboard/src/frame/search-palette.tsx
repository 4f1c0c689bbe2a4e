// The content of the search dialog: a combobox over grouped results.

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { Money } from '../parts/money.tsx'
import { Status } from '../parts/status.tsx'
import { type SearchResult, useSearchResults } from './use-search-results.ts'

export function SearchPalette({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const list_id = useId()
  const input = useRef<HTMLInputElement>(null)
  // With the first search the dialog opens before this part is loaded, and has the focus itself.
  useEffect(() => input.current?.focus(), [])
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  // Enter pressed before the response arrived: opens the result once it is there.
  const [eager, setEager] = useState(false)
  const { results, busy, reason, note } = useSearchResults(typed.trim())
  const go = (result: SearchResult | undefined) => {
    if (result === undefined) return
    close()
    if (result.run) return void result.run()
    const account = result.account === undefined ? {} : { account: result.account }
    void navigate({
      to: result.to as never,
      params: { id: result.id } as never,
      search: { ...account, ...result.search } as never,
    })
  }
  const first = results[0]
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the response arrives.
  useEffect(() => {
    if (eager && !busy) go(first)
  }, [eager, busy, first?.key])
  const move = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter' && busy) setEager(true)
    else if (event.key === 'Enter') go(results[at])
    if (step === undefined || results.length === 0) return
    event.preventDefault()
    setAt((at + step + results.length) % results.length)
  }
  const groups = Map.groupBy(results, ({ group }) => group)
  return (
    <>
      <input
        ref={input}
        role="combobox"
        aria-label="Search customers, payments, pages and actions"
        aria-expanded={results.length > 0}
        aria-controls={list_id}
        aria-activedescendant={results.length > 0 ? `${list_id}-${at}` : undefined}
        placeholder="Email, amount, reference, ID or page"
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
        id={list_id}
        role="listbox"
        aria-label="Results"
        aria-busy={busy}
        className="max-h-[60vh] overflow-y-auto p-1.5"
      >
        {[...groups].map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options this way.
          <div key={group} role="group" aria-label={group}>
            <div aria-hidden="true" className="px-3 pt-2 pb-1 text-xs font-medium text-muted">
              {group}
            </div>
            {members.map((result) => {
              const index = results.indexOf(result)
              return (
                <Option
                  key={result.key}
                  id={`${list_id}-${index}`}
                  result={result}
                  selected={index === at}
                  onClick={() => go(result)}
                />
              )
            })}
          </div>
        ))}
      </div>
      {note && <p className="border-t border-line px-4 py-2 text-xs text-muted">{note}</p>}
    </>
  )
}

interface OptionProps {
  id: string
  result: SearchResult
  selected: boolean
  onClick: () => void
}

function Option({ id, result, selected, onClick }: OptionProps) {
  const { amount, currency, status, note } = result
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      onClick={onClick}
      ref={(element) => void (selected && element?.scrollIntoView({ block: 'nearest' }))}
      className="flex min-h-11 w-full items-center gap-3 rounded-lg px-3 py-1.5 text-left
 aria-selected:bg-brand-soft aria-selected:text-brand"
    >
      <Icon name={result.icon} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{result.name}</span>
        {note && <span className="block truncate text-xs text-muted">{note}</span>}
      </span>
      {amount != null && currency != null && (
        <span className="shrink-0 font-medium whitespace-nowrap">
          <Money amount={amount} currency={currency} />
        </span>
      )}
      {status && (
        <span className="shrink-0">
          <Status of={status} />
        </span>
      )}
    </button>
  )
}
