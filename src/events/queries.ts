import type { Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

export interface NumberedEvent {
  account_id: string
  sequence: number
  id: string
  type: string
  object_id: string
  at: Date
  data: string
}

export async function insertEvent(tx: Tx, event: NumberedEvent): Promise<void> {
  await tx.count(sql`
    insert into events (account_id, sequence, id, type, object_id, at, data)
    values (${event.account_id}, ${event.sequence}, ${event.id}, ${event.type},
      ${event.object_id}, ${event.at}, ${event.data})`)
}
