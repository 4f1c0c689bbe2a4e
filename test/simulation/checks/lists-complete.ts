// Paging through a list during writes neither skips nor repeats rows: newest first, each row once,
// and every row that was acknowledged before the walk began, as far as the walk went.

import type { History, Walk } from '../history.ts'
import { bodyOf, groupBy, writesOf } from '../writes.ts'

interface CreatedTransaction {
  id: string
  done_ms: number
}

export function listsComplete(history: History): string[] {
  const created = groupBy(
    writesOf(history).filter(
      ({ operation, acknowledged }) => operation === 'create' && acknowledged,
    ),
    ({ account }) => account,
  )
  const rows = new Map<string, CreatedTransaction[]>(
    [...created].map(([account, writes]) => [
      account,
      writes.map(({ acknowledged }) => {
        return { id: String(bodyOf(acknowledged!)?.id), done_ms: acknowledged!.done_ms }
      }),
    ]),
  )
  const existing = new Set(history.final.transactions.map(({ id }) => id))
  return history.walks.flatMap((walk) => check(walk, rows.get(walk.account) ?? [], existing))
}

function check(walk: Walk, created: CreatedTransaction[], existing: Set<string>): string[] {
  const ids = walk.pages.flat().map(({ id }) => id)
  const where = `the list of ${walk.account} at ${Math.round(walk.begun_ms)} ms`
  const unordered = ids.find((id, at) => at > 0 && id >= ids[at - 1]!)
  const found = unordered === undefined ? [] : [`${where} repeats or misplaces ${unordered}`]
  const missing = ids.find((id) => !existing.has(id))
  if (missing !== undefined) found.push(`${where} has ${missing}, which does not exist`)
  const listed = new Set(ids)
  const oldest = walk.ended ? '' : (ids.at(-1) ?? '')
  const skipped = created.find(
    ({ id, done_ms }) => done_ms < walk.begun_ms && id >= oldest && !listed.has(id),
  )
  if (skipped !== undefined) found.push(`${where} skips ${skipped.id}`)
  return found
}
