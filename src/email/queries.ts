import type { Lease } from '../outbox/lease.ts'
import type { Queryable, Tx } from '../postgres/database.ts'
import { idPageClause } from '../postgres/page-clause.ts'
import {
  type AddressReplacement,
  mentions,
  type ReplacedTable,
  replaced,
} from '../postgres/replace-text.ts'
import { countWaiting, type QueueDepth } from '../postgres/search.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import type { OldRows } from '../postgres/sweep.ts'
import type { CursorRange } from '../primitives/cursor.ts'
import type { EmailState, StoredEmail } from './stored-email.ts'

export interface QueuedEmail {
  account_id: string
  is_due: boolean
}

export async function isAnyDue(db: Queryable): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from emails
    where state = 'queued' and next_at <= now()
    order by next_at
    limit 1`)
  return found !== undefined
}

/** Queued emails of the accounts after the given one: by account, the first to be sent first. */
export async function selectQueued(
  db: Queryable,
  after: string,
  limit: number,
): Promise<QueuedEmail[]> {
  return db.rows(sql`
    select account_id, next_at <= now() as is_due
    from emails
    where state = 'queued' and account_id > ${after}
    order by account_id, next_at
    limit ${limit}`)
}

/** Of accounts of one shard. Skips emails that another worker has locked or leased. */
export async function claimDue(
  db: Queryable,
  lease: Lease,
  account_ids: string[],
  limits: { each: number; all: number },
): Promise<StoredEmail[]> {
  return db.rows(sql`
    with due as materialized (
      select it.account_id, one.cause
      from unnest(${account_ids}::uuid[]) as it (account_id)
      cross join lateral (
        select cause
        from emails
        where emails.account_id = it.account_id and state = 'queued' and next_at <= now()
          and emails.account_id = any(${account_ids}::uuid[])
        order by next_at
        limit ${limits.each}
        for update skip locked) as one
      limit ${limits.all}
    )
    update emails
    set attempts = attempts + 1, lease_id = ${lease.id},
      next_at = now() + ${lease.for_ms} * interval '1 millisecond'
    from due
    where emails.account_id = due.account_id and emails.cause = due.cause
      and emails.account_id = any(${account_ids}::uuid[])
    returning emails.account_id, emails.cause, id, state, kind, recipient, content, attempts,
      sent_at, error`)
}

export interface EmailOutcome {
  state: 'sent' | 'failed' | 'suppressed' | 'queued'
  error: string | null
  /** The delay of a retry. */
  wait_ms?: number
  /** Replaces the stored content. */
  content?: string | undefined
}

type EmailKey = Pick<StoredEmail, 'account_id' | 'cause'>

// Requires the lease: after it expires, another worker may have recorded a newer outcome. A factor
// of null makes a time null: Citus rejects now() in a CASE.
export async function recordOutcome(
  db: Queryable,
  email: EmailKey,
  lease_id: string,
  { state, error, wait_ms, content }: EmailOutcome,
): Promise<void> {
  await db.count(sql`
    update emails
    set state = ${state}, error = ${error}, lease_id = null,
      content = coalesce(${content ?? null}, content),
      next_at = now() + ${wait_ms ?? null} * interval '1 millisecond',
      sent_at = now() + ${state === 'sent' ? 0 : null} * interval '1 millisecond'
    where account_id = ${email.account_id}
      and cause = ${email.cause}
      and lease_id = ${lease_id}`)
}

/** Postpones an email without using up an attempt. Returns false after a day of deferrals. */
export async function deferEmail(
  db: Queryable,
  email: EmailKey,
  lease_id: string,
  { wait_ms, error }: { wait_ms: number; error: string },
): Promise<boolean> {
  const deferred = await db.count(sql`
    update emails
    set error = ${error}, lease_id = null, attempts = attempts - 1,
      deferred_since = least(deferred_since, now()),
      next_at = now() + ${wait_ms} * interval '1 millisecond'
    where account_id = ${email.account_id}
      and cause = ${email.cause}
      and lease_id = ${lease_id}
      and (deferred_since is null or deferred_since > now() - interval '1 day')`)
  return deferred > 0
}

// Checks and counts in one statement under the row lock. Counts nothing if the limit is reached.
// The row is inserted before, because Citus rejects subqueries after a conflict.
export async function countEmail(
  tx: Tx,
  key_hash: Buffer,
  limit: { hour_max: number; day_max: number },
): Promise<boolean> {
  await tx.count(sql`
    insert into inbox_counts (key_hash, sent_at, retain_until)
    values (${key_hash}, '{}', now() + interval '1 day')
    on conflict (key_hash) do nothing`)
  const counted = await tx.count(sql`
    update inbox_counts
    set sent_at = array(
        select moment
        from unnest(sent_at) as moment
        where moment > now() - interval '1 day'
      ) || now(),
      retain_until = now() + interval '1 day'
    where key_hash = ${key_hash}
      and (
        select count(*)
        from unnest(sent_at) as moment
        where moment > now() - interval '1 day'
      ) < ${limit.day_max}
      and (
        select count(*)
        from unnest(sent_at) as moment
        where moment > now() - interval '1 hour'
      ) < ${limit.hour_max}`)
  return counted > 0
}

/** Marks an inbox as a recipient for one day. Returns false if it was marked already. */
export async function insertRecipient(tx: Tx, key_hash: Buffer): Promise<boolean> {
  const inserted = await tx.count(sql`
    insert into inbox_counts (key_hash, sent_at, retain_until)
    values (${key_hash}, '{}', now() + interval '1 day')
    on conflict (key_hash) do nothing`)
  return inserted > 0
}

/** Counts a new recipient of an account. Returns false if the daily limit is reached. */
export async function countRecipient(
  tx: Tx,
  key_hash: Buffer,
  recipients_max: number,
): Promise<boolean> {
  const counted = await tx.count(sql`
    insert into inbox_counts (key_hash, sent_at, retain_until, recipients)
    values (${key_hash}, '{}', now() + interval '1 day', 1)
    on conflict (key_hash) do update
    set recipients = inbox_counts.recipients + 1
    where inbox_counts.recipients < ${recipients_max}`)
  return counted > 0
}

/** Whether this inbox has paid the account within a year. The key is a hash of both. */
export async function selectIsKnown(tx: Tx, key_hash: Buffer): Promise<boolean> {
  const found = await tx.row(sql`
    select 1
    from inbox_counts
    where key_hash = ${key_hash} and retain_until > now()`)
  return found !== undefined
}

export async function insertKnown(tx: Tx, key_hash: Buffer): Promise<void> {
  await tx.count(sql`
    insert into inbox_counts (key_hash, sent_at, retain_until)
    values (${key_hash}, '{}', now() + interval '1 year')
    on conflict (key_hash) do update
    set retain_until = excluded.retain_until`)
}

export const old_counts: OldRows = {
  rows: sql`from inbox_counts where retain_until < now()`,
  key: sql`key_hash`,
  oldest_first: sql`retain_until`,
}

/** Finished emails with smaller ids. */
export const oldEmails = (before_id: string): OldRows => ({
  rows: sql`from emails where id < ${before_id} and state <> 'queued'`,
  key: sql`id`,
  oldest_first: sql`id`,
  is_sharded: true,
})

export async function setEmailDelivery(db: Queryable, enabled: boolean): Promise<void> {
  await db.count(sql`
    update email_delivery
    set enabled = ${enabled}
    where enabled <> ${enabled}`)
}

export async function selectEmailDelivery(db: Queryable): Promise<boolean> {
  const found = await db.row<{ enabled: boolean }>(sql`
    select enabled
    from email_delivery`)
  return found!.enabled
}

export async function storeQueuedEmails(db: Queryable, limit: number): Promise<number> {
  const queued = await db.rows<{ id: string }>(sql`
    select id
    from emails
    where state = 'queued'
    order by next_at
    limit ${limit}`)
  if (queued.length === 0) return 0
  // By id alone: these emails are of many accounts. On Citus this is a write to several shards.
  return db.count(sql`
    update emails
    set state = 'stored', next_at = null, lease_id = null
    where id = any(${queued.map(({ id }) => id)}::uuid[]) and state = 'queued'`)
}

const columns = sql`account_id, cause, id, state, kind, recipient, content, attempts, sent_at,
      error`

export async function selectEmail(db: Queryable, id: string): Promise<StoredEmail | undefined> {
  return db.row(sql`
    select ${columns}
    from emails
    where id = ${id}`)
}

interface EmailFilter {
  account_id: string | undefined
  state: EmailState | undefined
  /** Escaped for ILIKE, which makes the match case-insensitive. */
  to: string | undefined
  causes?: string[] | undefined
  before_id: string | undefined
}

export async function selectEmailPage(
  db: Queryable,
  filter: EmailFilter,
  range: CursorRange,
): Promise<StoredEmail[]> {
  return db.rows(sql`
    select ${columns}
    from emails
    where true
      ${filter.state === undefined ? nothing : sql`and state = ${filter.state}`}
      ${filter.to === undefined ? nothing : sql`and recipient ilike ${filter.to}`}
      ${filter.causes === undefined ? nothing : sql`and cause = any(${filter.causes}::text[])`}
      ${filter.before_id === undefined ? nothing : sql`and id < ${filter.before_id}`}
      ${filter.account_id === undefined ? nothing : sql`and account_id = ${filter.account_id}`}
      ${idPageClause(range)}
    limit ${range.limit}`)
}

/** The number of queued emails and of due ones, counted up to a limit. */
export function countQueuedEmails(db: Queryable, limit: number): Promise<QueueDepth> {
  return countWaiting(db, sql`from emails where state = 'queued' order by next_at`, limit)
}

/** A queued email to the address is not sent anymore. */
export const erased_emails: ReplacedTable = {
  table: sql`emails`,
  account: sql`account_id`,
  key: sql`cause`,
  key_type: sql`text`,
  first: '',
  change: (replacement) => {
    const is_theirs = isTo(replacement)
    const is_queued = sql`state = 'queued' and ${is_theirs}`
    // The message of a request is written to the person.
    const without_message = sql`jsonb_set(content::jsonb, '{facts,message}', 'null', false)::text`
    const content = sql`case when ${is_theirs} then ${without_message} else content end`
    return sql`recipient = case when ${is_theirs} then ${replacement.to} else recipient end,
      content = ${replaced(content, replacement)},
      state = case when ${is_queued} then 'suppressed' else state end,
      next_at = case when ${is_queued} then null else next_at end,
      lease_id = case when ${is_queued} then null else lease_id end,
      error = case when ${is_queued} then 'The customer was erased.'
        else ${replaced(sql`error`, replacement)} end`
  },
  where: (replacement) => sql`${isTo(replacement)}
      or ${mentions(sql`content`, replacement)}
      or ${mentions(sql`error`, replacement)}`,
}

/** Equal, not the pattern: ann@example.co is another person than ann@example.com. */
function isTo({ email }: AddressReplacement): Sql {
  return sql`lower(recipient collate "C") = ${email}`
}

export async function deleteInboxCounts(tx: Tx, key_hashes: Buffer[]): Promise<void> {
  await tx.count(sql`
    delete from inbox_counts
    where key_hash = any(${key_hashes}::bytea[])`)
}

/** The emails of an account to one address, newest first. Reads all emails of the account. */
export async function selectEmailsTo(
  db: Queryable,
  account_id: string,
  email: string,
  limit: number,
): Promise<StoredEmail[]> {
  return db.rows(sql`
    select account_id, cause, id, state, kind, recipient, content, attempts, sent_at, error
    from emails
    where account_id = ${account_id} and lower(recipient collate "C") = ${email}
    order by id desc
    limit ${limit}`)
}
