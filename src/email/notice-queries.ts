import type { Queryable, Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import type { Notice, NoticeName } from './email.ts'

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

const isOn = sql`not exists (
        select 1
        from notification_settings as settings
        where settings.user_id = it.user_id and it.notice = any(turned_off))`

export function sendNotices(tx: Tx, notices: NamedNotice[], ids: string[]): void {
  tx.send(sql`
    insert into emails (account_id, cause, id, state, kind, recipient, content, next_at)
    select account_id, cause, id, case when enabled then 'queued' else 'stored' end, kind,
      recipient, content, case when enabled then now() end
    from ${newNotices.from(rowsOf(notices, ids, []))}
    cross join email_delivery
    where ${isOn}
    on conflict (account_id, cause) do nothing`)
}

// The first row of an hour is sent at once. If it exists, the second row of the hour collects the
// count and the amount. It is sent a minute after the hour, when all transactions that started in
// the hour have ended. Hours are real time: the sandbox clock must not release more emails.
export function sendHourlyNotices(
  tx: Tx,
  notices: NamedNotice[],
  ids: string[],
  more_ids: string[],
): void {
  tx.send(sql`
    with given as materialized (
      select it.*, kind || ':' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24') as hour
      from ${newNotices.from(rowsOf(notices, ids, more_ids))}
      where ${isOn}
    ),
    first as (
      insert into emails (account_id, cause, id, state, kind, recipient, content, next_at)
      select account_id, hour, id, case when enabled then 'queued' else 'stored' end, kind,
        recipient, content, case when enabled then now() end
      from given
      cross join email_delivery
      on conflict (account_id, cause) do nothing
      returning account_id, cause
    )
    insert into emails (account_id, cause, id, state, kind, recipient, content, next_at)
    select account_id, hour || ':more', more_id,
      case when enabled then 'queued' else 'stored' end, kind, recipient, content,
      case when enabled then date_trunc('hour', now()) + interval '61 minutes' end
    from given
    cross join email_delivery
    where not exists (
      select 1
      from first
      where first.account_id = given.account_id and first.cause = given.hour)
    on conflict (account_id, cause) do update
    set content = jsonb_set(jsonb_set(emails.content::jsonb,
        '{facts,count}', to_jsonb((emails.content::jsonb #> '{facts,count}')::bigint
          + (excluded.content::jsonb #> '{facts,count}')::bigint)),
        '{facts,amount}', to_jsonb((emails.content::jsonb #> '{facts,amount}')::bigint
          + (excluded.content::jsonb #> '{facts,amount}')::bigint))::text
    where emails.state in ('queued', 'stored')`)
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
