import type { Queryable } from '../postgres/database.ts'
import { countDeclines as selectDeclines } from './queries.ts'

/** The number of declined cards in each span of milliseconds, both ends inclusive. */
export async function countDeclines(
  db: Queryable,
  account_id: string,
  spans: { from: number; to: number }[],
): Promise<number[]> {
  const dates = spans.map(({ from, to }) => ({ from: new Date(from), to: new Date(to) }))
  const counts = spans.map(() => 0)
  for (const { span, declines } of await selectDeclines(db, account_id, dates)) {
    counts[span] = declines
  }
  return counts
}
