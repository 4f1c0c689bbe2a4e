// Postings are numbered from 1 without gaps, ids increase in commit order, and times never go back.

import type { FinalBalance, FinalPosting, History } from '../history.ts'
import { groupBy } from '../writes.ts'
import { inOrder } from './postings-replayed.ts'

export function sequencesOrdered({ final }: History): string[] {
  const postings = groupBy(final.postings, ({ account }) => account)
  return final.balances.flatMap((balances) =>
    check(balances, inOrder(postings.get(balances.account) ?? [])),
  )
}

function check(balances: FinalBalance, postings: FinalPosting[]): string[] {
  const found: string[] = []
  let newest = ''
  let latest_ms = -Infinity
  postings.forEach(({ sequence, transaction, movement, at_ms }, at) => {
    const where = `${balances.account} posting ${sequence}`
    if (sequence !== at + 1) found.push(`${where} should have sequence ${at + 1}`)
    if (at_ms < latest_ms) found.push(`${where} has an earlier time than the one before it`)
    latest_ms = Math.max(latest_ms, at_ms)
    if (movement !== 'arrive' && movement !== 'hold') return
    if (transaction <= newest) found.push(`${where}: ${transaction} follows ${newest}`)
    newest = transaction
  })
  if (balances.posting_sequence !== postings.length) {
    found.push(
      `${balances.account} counts ${balances.posting_sequence} of ${postings.length} postings`,
    )
  }
  return found
}
