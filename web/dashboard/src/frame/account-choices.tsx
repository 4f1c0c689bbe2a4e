// The account picker: finds accounts by part of the name or email, or by full id. The server
// searches, so it works for any number of accounts.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useAccountId, useFlorin } from '../api/use-florin.ts'
import { humanize } from '../parts/status.tsx'

interface Choice {
  /** Undefined for all accounts. */
  id: string | undefined
  name: string
  note: string
}

const all: Choice = { id: undefined, name: 'All accounts', note: '' }
const shown_max = 20

export function AccountChoices({ onChoose }: { onChoose: () => void }) {
  const navigate = useNavigate()
  const current = useAccountId()
  const input = useRef<HTMLInputElement>(null)
  // The dialog opens before this part is loaded, and has the focus itself.
  useEffect(() => input.current?.focus(), [])
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const { choices, more, fresh, error } = useChoices(typed.trim())
  // Enter pressed before the results arrived: it must not pick from the results of older input.
  const [entered, setEntered] = useState(false)
  const choose = (choice: Pick<Choice, 'id'> | undefined) => {
    if (choice === undefined) return
    onChoose()
    const { id: account } = choice
    void navigate({ to: '.', search: (search: object) => ({ ...search, account }) as never })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the results arrive.
  useEffect(() => {
    if (!entered || !fresh) return
    setEntered(false)
    choose(choices[at])
  }, [entered, fresh])
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter' && isWholeId(typed.trim())) choose({ id: typed.trim() })
    else if (event.key === 'Enter' && fresh) choose(choices[at])
    else if (event.key === 'Enter') setEntered(true)
    if (step === undefined || choices.length === 0) return
    event.preventDefault()
    setAt((at + step + choices.length) % choices.length)
  }
  return (
    <>
      <input
        ref={input}
        role="combobox"
        aria-label="Name, email or ID"
        aria-expanded={choices.length > 0}
        aria-controls="accounts-found"
        aria-activedescendant={choices.length > 0 ? `account-${at}` : undefined}
        placeholder="Name, email or acct_…"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onKeyDown={press}
        onChange={(event) => {
          setTyped(event.target.value)
          setEntered(false)
          setAt(0)
        }}
        className="mt-2 h-12 w-full border-b border-line bg-card px-4 text-base outline-none
 placeholder:text-muted"
      />
      <p role="status" className={choices.length === 0 ? 'px-4 py-6 text-muted' : 'sr-only'}>
        {error?.message ??
          (!fresh ? 'Searching…' : choices.length === 0 ? 'No matching accounts' : '')}
      </p>
      <div
        id="accounts-found"
        role="listbox"
        aria-label="Accounts"
        aria-busy={!fresh}
        className={`max-h-[50vh] overflow-y-auto p-1.5 ${choices.length === 0 ? 'hidden' : ''}`}
      >
        {choices.map((choice, index) => (
          <Option
            key={choice.id ?? 'all'}
            id={`account-${index}`}
            choice={choice}
            selected={index === at}
            current={choice.id === current}
            onClick={() => choose(choice)}
          />
        ))}
      </div>
      {more && (
        <p className="border-t border-line px-4 py-2.5 text-xs text-muted">
          Showing the first {shown_max} accounts. Refine your search to find others.
        </p>
      )}
    </>
  )
}

interface OptionProps {
  id: string
  choice: Choice
  selected: boolean
  current: boolean
  onClick: () => void
}

function Option({ id, choice, selected, current, onClick }: OptionProps) {
  return (
    <button
      id={id}
      type="button"
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      onClick={onClick}
      ref={(element) => void (selected && element?.scrollIntoView({ block: 'nearest' }))}
      className="flex min-h-11 w-full items-center justify-between gap-4 rounded-lg px-3 text-left
 hover:bg-canvas aria-selected:bg-brand-soft aria-selected:text-brand"
    >
      <span className="min-w-0 truncate font-medium">
        {choice.name}
        {current && <span className="ml-2 text-xs font-semibold">Current</span>}
      </span>
      <span className={`min-w-0 truncate text-xs ${selected ? '' : 'text-muted'}`}>
        {choice.note}
      </span>
    </button>
  )
}

interface ChoiceResults {
  choices: Choice[]
  more: boolean
  /** Whether the results belong to the current input. */
  fresh: boolean
  error: Error | null
}

function useChoices(typed: string): ChoiceResults {
  const florin = useFlorin()
  const search = useDebounced(typed)
  const found = useQuery({
    queryKey: ['all', 'accounts', 'to switch', search],
    queryFn: async ({ signal }) => {
      if (isWholeId(search)) {
        return { data: [await florin.accounts.get(search, { signal })], more: false }
      }
      const query = { limit: shown_max, ...(search === '' ? {} : { search }) }
      const { data, pagination } = await florin.accounts.list(query, { signal })
      return { data, more: pagination.has_next }
    },
    placeholderData: keepPreviousData,
  })
  const rows = found.isError ? [] : (found.data?.data ?? [])
  const choices = rows.map(({ id, name, email, status }) => ({
    id,
    name,
    note: status === 'active' ? email : `${email} · ${humanize(status)}`,
  }))
  return {
    choices: typed === '' ? [all, ...choices] : choices,
    more: found.data?.more ?? false,
    fresh: search === typed && !found.isPlaceholderData && !found.isPending,
    error: found.error,
  }
}

/** A full id identifies one account, so no search is needed. */
function isWholeId(text: string): boolean {
  return /^acct_[0-9a-z]{26}$/.test(text)
}

const debounce_ms = 150

function useDebounced(typed: string): string {
  const [debounced, setDebounced] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(typed), debounce_ms)
    return () => clearTimeout(timer)
  }, [typed])
  return debounced
}
