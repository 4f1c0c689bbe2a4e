// A small noun with lanes. CONTRIBUTING.md refers to it as an example.

import { AccountLanes } from '../../src/lanes/account-lanes.ts'
import { decideByKind } from '../../src/lanes/decide-by-kind.ts'
import { defineLane } from '../../src/lanes/define-lane.ts'
import type { CommandEntry, CommandResult } from '../../src/lanes/lane-entry.ts'
import { type LaneRow, RowSet } from '../../src/lanes/row-set.ts'
import type { Db } from '../../src/postgres/database.ts'
import { sql } from '../../src/postgres/sql.ts'
import { accountsOf, rowKeys, sqlRows } from '../../src/postgres/sql-rows.ts'
import { timeOfUuid } from '../../src/primitives/ids.ts'
import { Refusal } from '../../src/primitives/refusal.ts'

export interface NoteRow extends LaneRow {
  status: 'open' | 'closed'
  text: string
}

export type NoteCommand =
  | { kind: 'create'; account_id: string; text: string }
  | { kind: 'close'; account_id: string; id: string }

export type NoteEntry = CommandEntry<NoteCommand, NoteRow>

export class NoteLanes extends AccountLanes<NoteEntry, CommandResult> {
  constructor(db: Db) {
    super(noteLane(db))
  }
}

const unknown = () => new Refusal('not_found', 'No note with this id exists.')

const decideNote = decideByKind<RowSet<NoteRow>, NoteCommand, NoteRow>(
  {
    create(set, lock, { account_id, text }) {
      const id = set.locked.nextId(lock)
      const row: NoteRow = { account_id, id, status: 'open', text, updated_at: timeOfUuid(id) }
      set.insert(lock, row)
      return row
    },
    close(set, lock, command) {
      const row = set.getRow(command)
      if (row.status === 'closed') throw new Refusal('conflict', 'The note has been closed.')
      set.change(lock, row, { status: 'closed', updated_at: set.locked.timeOf(lock) })
      return row
    },
  },
  unknown,
)

const noteRows = sqlRows('account_id uuid, id uuid, status text, text text, updated_at timestamptz')

const noteLane = defineLane<NoteCommand, NoteRow, RowSet<NoteRow>>({
  async read(tx, commands, locking) {
    const named = commands.filter((command) => command.kind === 'close')
    const [locked, rows] = await Promise.all([
      locking,
      tx.rows<NoteRow>(sql`
        select notes.*
        from ${rowKeys(named)}
        join notes on notes.account_id = it.account_id and notes.id = it.id
        where notes.account_id = any(${accountsOf(named)}::uuid[])`),
    ])
    return new RowSet(locked, rows, { jsonOf: JSON.stringify, unknown })
  },
  decide: decideNote,
  write(tx, { inserted, changed }) {
    if (inserted.length > 0)
      tx.send(sql`insert into notes ${noteRows.insertByAccount(inserted, tx)}`)
    if (changed.size > 0) {
      tx.send(sql`
        update notes
        set status = it.status, updated_at = it.updated_at
        from ${noteRows.from([...changed.keys()])}
        where notes.account_id = it.account_id and notes.id = it.id`)
    }
  },
})
