import type { Tx } from '../postgres/database.ts'
import { nothing, type Sql, sql } from '../postgres/sql.ts'
import { sqlRows } from '../postgres/sql-rows.ts'
import { type Email, service_account_id } from './email.ts'

const newEmails = sqlRows(`
  account_id uuid, cause text, id uuid, kind text, recipient text, content text`)

/** Parts of an INSERT: the database decides between `queued` and `stored` for all processes. */
interface DeliverySwitch {
  /** Follows the FROM clause. */
  join: Sql
  /** A condition. */
  enabled: Sql
  state: Sql
  next_at: Sql
}

function switchOf(join: Sql, enabled: Sql): DeliverySwitch {
  return {
    join,
    enabled,
    state: sql`case when ${enabled} then 'queued' else 'stored' end`,
    next_at: sql`case when ${enabled} then now() end`,
  }
}

const joined_switch = switchOf(sql`cross join email_delivery`, sql`enabled`)
const read_switch = switchOf(nothing, sql`current_setting('florin.email_delivery')::boolean`)

// A table that every server has makes Citus run the INSERT in all shards, with two-phase commit.
// So the switch is read into a setting of the transaction. Citus replaces it by its value before it
// sends the INSERT to the shard.
export function readSwitch(tx: Tx): DeliverySwitch {
  if (!tx.shards.is_distributed) return joined_switch
  tx.send(sql`
    select set_config('florin.email_delivery', enabled::text, true)
    from email_delivery`)
  return read_switch
}

/**
 * The new rows, called `it`. Those of the service are separate, because it has no account: on Citus
 * they are copied through the coordinator, with two-phase commit. No change of money writes them.
 */
export function sourcesOf<Row extends { account_id: string }>(
  tx: Tx,
  { from, fromAccounts }: NewRows<NoInfer<Row>>,
  rows: Row[],
): Sql[] {
  const is_of_service = ({ account_id }: Row) => account_id === service_account_id
  const of_service = rows.filter(is_of_service)
  const of_accounts = rows.filter((row) => !is_of_service(row))
  return [
    ...(of_accounts.length === 0 ? [] : [fromAccounts(of_accounts, tx)]),
    ...(of_service.length === 0 ? [] : [from(of_service)]),
  ]
}

interface NewRows<Row> {
  from(rows: Row[]): Sql
  fromAccounts(rows: Row[], tx: Tx): Sql
}

export function sendNewEmails(tx: Tx, emails: Email[], ids: string[]): void {
  const rows = emails.map(({ language, timezone, facts, ...email }, at) => ({
    account_id: email.account_id,
    cause: email.cause,
    id: ids[at]!,
    kind: email.kind,
    recipient: email.to,
    content: JSON.stringify({ language, timezone, facts }),
  }))
  const { join, state, next_at } = readSwitch(tx)
  for (const source of sourcesOf(tx, newEmails, rows)) {
    tx.send(sql`
      insert into emails (account_id, cause, id, state, kind, recipient, content, next_at)
      select account_id, cause, id, ${state}, kind, recipient, content, ${next_at}
      from ${source}
      ${join}
      on conflict (account_id, cause) do nothing`)
  }
}
