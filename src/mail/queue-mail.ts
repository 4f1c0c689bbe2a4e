// Placeholder: the outbox is not here yet, so nothing is kept of a letter.

import type { Tx } from '../postgres/database.ts'
import type { Letter } from './letter.ts'

export function queueMail(_tx: Tx, _letters: Letter[]): void {}
