import type { Tx } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import type { Letter } from './letter.ts'

export type NewLetter = Letter & { id: string }

// Whether it waits to be sent or is kept is for the database to say, for all processes alike.
export function sendNewLetters(tx: Tx, letters: NewLetter[]): void {
  tx.send(sql`
    insert into letters (account_id, cause, id, state, kind, recipient, content, next_at)
    select account_id, cause, id, case when leaves then 'queued' else 'kept' end, kind, recipient,
      content::text, case when leaves then now() end
    from json_to_recordset(${records(letters)}) as it (
      account_id uuid, cause text, id uuid, kind text, recipient text, content json)
    cross join mail_route
    on conflict (account_id, cause) do nothing`)
}

// Written by hand, with the content as the JSON it is: escaping it into a string once more would
// take longer than all the rest.
function records(letters: NewLetter[]): string {
  return `[${letters.map(record).join(',')}]`
}

function record(letter: NewLetter): string {
  return (
    `{"account_id":"${letter.account_id}","id":"${letter.id}","kind":"${letter.kind}"` +
    `,"cause":${JSON.stringify(letter.cause)},"recipient":${JSON.stringify(letter.to)}` +
    `,"content":{"language":${JSON.stringify(letter.language)}` +
    `,"timezone":${JSON.stringify(letter.timezone)},"facts":${JSON.stringify(letter.facts)}}}`
  )
}
