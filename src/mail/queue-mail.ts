// Queues letters in the change that causes them: they are written if and only if it is. Nothing is
// waited for and nothing leaves the machine here; the worker sends, see send-due.ts.

import type { Tx } from '../postgres/database.ts'
import { newUuid } from '../primitives/ids.ts'
import type { Letter } from './letter.ts'
import { sendNewLetters } from './queries.ts'

export function queueMail(tx: Tx, letters: Letter[]): void {
  if (letters.length === 0) return
  const at_ms = tx.now.getTime()
  const ids = letters.map(() => newUuid(at_ms))
  sendNewLetters(tx, letters, ids)
}
