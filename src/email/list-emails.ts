// Reads the outbox. For admins only: emails contain secret links.

import { newestSettledId } from '../postgres/clock.ts'
import type { Db, Queryable } from '../postgres/database.ts'
import { runQueuedSearch } from '../postgres/search.ts'
import { type CursorPage, type CursorQuery, pageByCursor } from '../primitives/cursor.ts'
import { findUuid, timeOfUuid, toTypeId } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { escapeLike } from '../primitives/text.ts'
import { toIso } from '../primitives/time.ts'
import type { DraftOptions } from './draft.ts'
import { customer_kinds, type EmailBrand, type EmailKind, service_account_id } from './email.ts'
import { selectEmail, selectEmailPage, selectEmailsTo } from './queries.ts'
import { renderEmail } from './render-email.ts'
import { type EmailState, readEmail, type StoredEmail } from './stored-email.ts'

export { erased_emails } from './queries.ts'

export interface ListedEmail {
  id: string
  /** Null for an email about a user's login. */
  account_id: string | null
  kind: EmailKind
  state: EmailState
  to: string
  subject: string
  cause: string
  attempts: number
  created_at: string
  sent_at: string | null
  error: string | null
}

interface EmailWithContent extends ListedEmail {
  text: string
  html: string
}

export interface EmailListQuery extends CursorQuery {
  state?: EmailState | undefined
  to?: string | undefined
  /** Restricts the list to these causes of one account. */
  among?: { account_id: string; causes: string[] } | undefined
}

// Searching a rare address scans all emails. An index for this query alone would slow down every
// payment request.
const search_advice = 'There are too many emails to search. Omit "to" or "state".'

/** `account_id` restricts the list to one account. */
export async function listEmails(
  db: Db,
  account_id: string | undefined,
  query: EmailListQuery,
  options: DraftOptions,
): Promise<CursorPage<ListedEmail>> {
  const to = query.to === undefined ? undefined : escapeLike(query.to)
  const { among, state } = query
  const filter = { account_id: account_id ?? among?.account_id, causes: among?.causes, state, to }
  const page = await pageByCursor(query, 'email', {
    exists: async (id) => {
      const email = await selectEmail(db, id)
      return email !== undefined && (account_id ?? email.account_id) === email.account_id
    },
    select: async (range) => {
      if (among !== undefined && among.account_id !== filter.account_id) return []
      if (among?.causes.length === 0) return []
      const settled = range.after === null ? undefined : await newestSettledId(db)
      return runQueuedSearch(db, filter.account_id ?? 'all', search_advice, (tx) =>
        selectEmailPage(tx, { ...filter, before_id: settled }, range),
      )
    },
  })
  return { ...page, data: page.data.map((email) => presentListed(email, options)) }
}

/** What the account may know: the content of emails has links, and errors have addresses. */
export type EmailStateEntry = Pick<ListedEmail, 'kind' | 'state' | 'created_at' | 'sent_at'>

/** The emails of one account with these causes, newest first. */
export async function findEmailStates(
  db: Db,
  account_id: string,
  causes: string[],
): Promise<EmailStateEntry[]> {
  const range = { before: null, after: null, limit: causes.length }
  const filter = { account_id, causes, state: undefined, to: undefined, before_id: undefined }
  const rows = causes.length === 0 ? [] : await selectEmailPage(db, filter, range)
  return rows.map(({ kind, state, id, sent_at }) => ({
    kind,
    state,
    created_at: toIso(timeOfUuid(id)),
    sent_at: sent_at === null ? null : toIso(sent_at),
  }))
}

/** `account_id` restricts the lookup to one account. */
export async function getEmail(
  db: Db,
  account_id: string | undefined,
  email_id: string,
  options: DraftOptions,
  findBrand: (account_id: string) => Promise<EmailBrand | undefined>,
): Promise<EmailWithContent> {
  const id = findUuid('email', email_id)
  const email = id === undefined ? undefined : await selectEmail(db, id)
  if (email === undefined || (account_id ?? email.account_id) !== email.account_id) {
    throw new Refusal('not_found', 'No email with this id exists.')
  }
  const brand = customer_kinds.has(email.kind) ? await findBrand(email.account_id) : undefined
  const { text, html } = renderEmail(readEmail(email), options, brand)
  return { ...presentListed(email, options), text, html }
}

function isOfService({ account_id }: StoredEmail): boolean {
  return account_id === service_account_id
}

function presentListed(email: StoredEmail, options: DraftOptions): ListedEmail {
  return {
    id: toTypeId('email', email.id),
    account_id: isOfService(email) ? null : toTypeId('account', email.account_id),
    kind: email.kind,
    state: email.state,
    to: email.recipient,
    subject: renderEmail(readEmail(email), options).subject,
    cause: email.cause,
    attempts: email.attempts,
    created_at: toIso(timeOfUuid(email.id)),
    sent_at: email.sent_at === null ? null : toIso(email.sent_at),
    error: email.error,
  }
}

export interface EmailToCustomer {
  id: string
  kind: EmailKind
  state: EmailState
  to: string
  created_at: string
  sent_at: string | null
}

// As many as payment requests in an export.
const exported_max = 10_000

/** The emails of an account to one canonical address, newest first, without their content. */
export async function exportEmailsTo(
  db: Queryable,
  account_id: string,
  email: string,
): Promise<EmailToCustomer[]> {
  const rows = await selectEmailsTo(db, account_id, email, exported_max)
  return rows.map(({ id, kind, state, recipient: to, sent_at }) => ({
    id: toTypeId('email', id),
    kind,
    state,
    to,
    created_at: toIso(timeOfUuid(id)),
    sent_at: sent_at && toIso(sent_at),
  }))
}
