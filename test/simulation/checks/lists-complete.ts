// Pages neither skip nor repeat while others write: newest first, each row once, and everything
// that had been acknowledged when the walk began, as far as the walk went.

import type { History, Walk } from '../history.ts'
import { bodyOf, groupBy, writesOf } from '../writes.ts'

interface CreatedTransaction {
  id: string
  done_ms: number
}

export function listsComplete(history: History): string[] {
  const made = groupBy(
    writesOf(history).filter(
      ({ operation, acknowledged }) => operation === 'create' && acknowledged,
    ),
    ({ account }) => account,
  )
  const rows = new Map<string, CreatedTransaction[]>(
    [...made].map(([account, writes]) => [
      account,
      writes.map(({ acknowledged }) => {
        return { id: String(bodyOf(acknowledged!)?.id), done_ms: acknowledged!.done_ms }
      }),
    ]),
  )
  const there = new Set(history.final.transactions.map(({ id }) => id))
  return history.walks.flatMap((walk) => check(walk, rows.get(walk.account) ?? [], there))
}

function check(walk: Walk, made: CreatedTransaction[], there: Set<string>): string[] {
  const ids = walk.pages.flat().map(({ id }) => id)
  const where = `the list of ${walk.account} at ${Math.round(walk.begun_ms)} ms`
  const unordered = ids.find((id, at) => at > 0 && id >= ids[at - 1]!)
  const found = unordered === undefined ? [] : [`${where} repeats or misplaces ${unordered}`]
  const strange = ids.find((id) => !there.has(id))
  if (strange !== undefined) found.push(`${where} has ${strange}, which is not there`)
  const listed = new Set(ids)
  const oldest = walk.ended ? '' : (ids.at(-1) ?? '')
  const skipped = made.find(
    ({ id, done_ms }) => done_ms < walk.begun_ms && id >= oldest && !listed.has(id),
  )
  if (skipped !== undefined) found.push(`${where} skips ${skipped.id}`)
  return found
}
