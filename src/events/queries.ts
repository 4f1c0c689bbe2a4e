import type { Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import type { NumberedEvent } from './numbered-event.ts'

export async function insertEvent(tx: Tx, event: NumberedEvent): Promise<void> {
  await tx.count(sql`
    insert into events (account_id, sequence, id, type, object_id, at, data)
    values (${event.account_id}, ${event.sequence}, ${event.id}, ${event.type},
      ${event.object_id}, ${event.at}, ${event.data})`)
}

export function sendEvents(tx: Tx, events: NumberedEvent[]): void {
  tx.send(sql`
    insert into events (account_id, sequence, id, type, object_id, at, data)
    select account_id, sequence, id, type, object_id, at, data
    from json_to_recordset(${JSON.stringify(events)}) as it (
      account_id uuid, sequence bigint, id uuid, type text, object_id uuid, at timestamptz,
      data text)`)
}
