// Reading the outbox: for admins, who may see every letter with the links in it.

import { readTime } from '../postgres/clock.ts'
import type { Db } from '../postgres/database.ts'
import { searchInTurn } from '../postgres/search.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findUuid, firstUuidAt, timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { escapeLike } from '../primitives/text.ts'
import { toIso } from '../primitives/time.ts'
import type { DraftOptions } from './draft-letter.ts'
import { type KeptLetter, type LetterState, readLetter } from './kept-letter.ts'
import type { LetterKind } from './letter.ts'
import { selectLetter, selectLetterPage } from './queries.ts'
import { writeLetter } from './write-letter.ts'

export interface ListedLetter {
  id: string
  account_id: string
  kind: LetterKind
  state: LetterState
  to: string
  subject: string
  cause: string
  attempts: number
  created_at: string
  sent_at: string | null
  error: string | null
}

export interface WholeLetter extends ListedLetter {
  text: string
  html: string
}

export interface LetterListQuery extends CursorQuery {
  state?: LetterState | undefined
  to?: string | undefined
  /** Only some of one account's. */
  among?: { account_id: string; causes: string[] } | undefined
}

// As in the list of transactions: across accounts the order of commits is not the order of ids.
const unsettled_ms = 10_000

// A rare address is looked for in all letters, because an index for this question alone would slow
// every payment request down.
const search_advice = 'There are too many letters to look through. Ask without to or state.'

/** Of all accounts, or of one. */
export async function listLetters(
  db: Db,
  account_id: string | undefined,
  query: LetterListQuery,
  options: DraftOptions,
): Promise<CursorPage<ListedLetter>> {
  const to = query.to === undefined ? undefined : escapeLike(query.to)
  const { among, state } = query
  const filter = { account_id: account_id ?? among?.account_id, causes: among?.causes, state, to }
  const page = await pageByCursor(query, 'letter', {
    exists: async (id) => {
      const letter = await selectLetter(db, id)
      return letter !== undefined && (account_id ?? letter.account_id) === letter.account_id
    },
    select: async (range) => {
      if (among !== undefined && among.account_id !== filter.account_id) return []
      if (among?.causes.length === 0) return []
      const settled = range.after === null ? undefined : await newestSettled(db)
      return searchInTurn(db, filter.account_id ?? 'all', search_advice, (tx) =>
        selectLetterPage(tx, { ...filter, before_id: settled }, range),
      )
    },
  })
  return { ...page, data: page.data.map((letter) => presentListed(letter, options)) }
}

async function newestSettled(db: Db): Promise<string> {
  return firstUuidAt((await readTime(db)).getTime() - unsettled_ms)
}

/** Of any account, or of one. */
export async function getLetter(
  db: Db,
  account_id: string | undefined,
  letter_id: string,
  options: DraftOptions,
): Promise<WholeLetter> {
  const id = findUuid('letter', letter_id)
  const letter = id === undefined ? undefined : await selectLetter(db, id)
  if (letter === undefined || (account_id ?? letter.account_id) !== letter.account_id) {
    throw new Refusal('not_found', 'No letter has this id.')
  }
  const { text, html } = writeLetter(readLetter(letter), options)
  return { ...presentListed(letter, options), text, html }
}

function presentListed(letter: KeptLetter, options: DraftOptions): ListedLetter {
  return {
    id: toTypeId('letter', letter.id),
    account_id: toTypeId('account', letter.account_id),
    kind: letter.kind,
    state: letter.state,
    to: letter.recipient,
    subject: writeLetter(readLetter(letter), options).subject,
    cause: letter.cause,
    attempts: letter.attempts,
    created_at: toIso(timeOfUuid(letter.id)),
    sent_at: letter.sent_at === null ? null : toIso(letter.sent_at),
    error: letter.error,
  }
}
