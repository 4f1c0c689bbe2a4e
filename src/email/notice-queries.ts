import type { Queryable, Tx } from '../postgres/database.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import { accountsOf, sqlRows } from '../postgres/sql-rows.ts'
import type { Notice, NoticeName } from './email.ts'
import { readSwitch, sourcesOf } from './new-email-queries.ts'

type NamedNotice = Notice & { notice: NoticeName }

const newNotices = sqlRows(`
  account_id uuid, cause text, id uuid, more_id uuid, kind text, recipient text, content text,
  user_id uuid, notice text`)

function rowsOf(notices: NamedNotice[], ids: string[], more_ids: (string | null)[]) {
  return notices.map((notice, at) => ({
    account_id: notice.account_id,
    cause: notice.cause,
    id: ids[at]!,
    more_id: more_ids[at] ?? null,
    kind: notice.kind,
    recipient: notice.to,
    content: JSON.stringify({
      language: notice.language,
      timezone: notice.timezone,
      facts: notice.facts,
    }),
    user_id: notice.user_id,
    notice: notice.notice,
  }))
}

const joined_settings = sql`not exists (
        select 1
        from notification_settings as settings
        where settings.user_id = it.user_id and it.notice = any(turned_off))`

const read_settings = sql`it.user_id::text || ' ' || it.notice
        <> all(current_setting('florin.turned_off')::text[])`

/** Whether the user of a row has not turned the notice off; on Citus read as in readSwitch. */
function readSettings(tx: Tx, notices: NamedNotice[]): Sql {
  if (!tx.shards.is_distributed) return joined_settings
  const user_ids = [...new Set(notices.map(({ user_id }) => user_id))]
  tx.send(sql`
    select set_config('florin.turned_off',
      coalesce(array_agg(user_id::text || ' ' || name), '{}')::text, true)
    from notification_settings
    cross join unnest(turned_off) as name
    where user_id = any(${user_ids}::uuid[])`)
  return read_settings
}

export function sendNotices(tx: Tx, notices: NamedNotice[], ids: string[]): void {
  const { join, state, next_at } = readSwitch(tx)
  const is_on = readSettings(tx, notices)
  for (const source of sourcesOf(tx, newNotices, rowsOf(notices, ids, []))) {
    tx.send(sql`
      insert into emails (account_id, cause, id, state, kind, recipient, content, next_at)
      select account_id, cause, id, ${state}, kind, recipient, content, ${next_at}
      from ${source}
      ${join}
      where ${is_on}
      on conflict (account_id, cause) do nothing`)
  }
}

// The first row of an hour is sent at once. If it exists, the second row of the hour collects the
// count and the amount. It is sent a minute after the hour, when all transactions that started in
// the hour have ended. Hours are real time: the sandbox clock must not release more emails. The id
// of the first row shows whether this transaction has inserted it.
export function sendHourlyNotices(
  tx: Tx,
  notices: NamedNotice[],
  ids: string[],
  more_ids: string[],
): void {
  const rows = rowsOf(notices, ids, more_ids)
  const { join, enabled, state, next_at } = readSwitch(tx)
  const is_on = readSettings(tx, notices)
  const hour = sql`it.kind || ':' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24')`
  tx.send(sql`
    insert into emails (account_id, cause, id, state, kind, recipient, content, next_at)
    select account_id, ${hour}, id, ${state}, kind, recipient, content, ${next_at}
    from ${newNotices.fromAccounts(rows, tx)}
    ${join}
    where ${is_on}
    on conflict (account_id, cause) do nothing`)
  tx.send(sql`
    insert into emails (account_id, cause, id, state, kind, recipient, content, next_at)
    select it.account_id, ${hour} || ':more', more_id, ${state}, kind, recipient, content,
      case when ${enabled} then date_trunc('hour', now()) + interval '61 minutes' end
    from ${newNotices.fromAccounts(rows, tx)}
    ${join}
    where ${is_on}
      and not exists (
        select 1
        from emails as first
        where first.account_id = it.account_id
          and first.account_id = any(${accountsOf(rows)}::uuid[])
          and first.cause = ${hour} and first.id = it.id)
    on conflict (account_id, cause) do update
    set content = jsonb_set(jsonb_set(emails.content::jsonb,
        '{facts,count}', ${sumOf(sql`'{facts,count}'`)}),
        '{facts,amount}', ${sumOf(sql`'{facts,amount}'`)})::text
    where emails.state in ('queued', 'stored')`)
}

/** Cast by way of text: Citus rejects to_jsonb() here, which depends on settings for some types. */
function sumOf(path: Sql): Sql {
  return sql`((emails.content::jsonb #> ${path})::bigint
          + (excluded.content::jsonb #> ${path})::bigint)::text::jsonb`
}

export async function selectTurnedOff(db: Queryable, user_id: string): Promise<string[]> {
  const found = await db.row<{ turned_off: string[] }>(sql`
    select turned_off
    from notification_settings
    where user_id = ${user_id}`)
  return found?.turned_off ?? []
}

export async function upsertTurnedOff(
  tx: Tx,
  user_id: string,
  turned_off: NoticeName[],
): Promise<void> {
  await tx.count(sql`
    insert into notification_settings (user_id, turned_off)
    values (${user_id}, ${turned_off}::text[])
    on conflict (user_id) do update
    set turned_off = excluded.turned_off`)
}

export async function deleteTurnedOff(tx: Tx, user_ids: string[]): Promise<void> {
  await tx.count(sql`
    delete from notification_settings
    where user_id = any(${user_ids}::uuid[])`)
}
