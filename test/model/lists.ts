// Cursor-paginated lists as specified: newest first, in either direction.

import type { Placeholder } from './unify.ts'
import { badRequest, type HasTurn, newestFirst, type Outcome } from './world.ts'

/** A cursor refers to a row of the model, or to none in the list. */
export interface Cursor<Row> {
  edge: 'starting_after' | 'ending_before'
  row: Row | undefined
}

export interface ListInput<Row> {
  limit: number
  cursor: Cursor<Row> | undefined
}

export interface Listed extends HasTurn {
  id: Placeholder
}

export function page<Row extends Listed>(
  rows: Row[],
  input: ListInput<Row>,
  show: (row: Row) => unknown,
  filter: (row: Row) => boolean = () => true,
): Outcome {
  const { limit, cursor } = input
  if (cursor !== undefined && !rows.includes(cursor.row!)) return badRequest()
  const ordered = newestFirst(rows)
  const at = cursor === undefined ? -1 : ordered.indexOf(cursor.row!)
  const forward = cursor?.edge !== 'ending_before'
  const beyond = (forward ? ordered.slice(at + 1) : ordered.slice(0, at)).filter(filter)
  const data = forward ? beyond.slice(0, limit) : beyond.slice(-limit)
  return {
    status: 200,
    body: { object: 'list', data: data.map(show), has_more: beyond.length > limit },
  }
}
