// Limits concurrent CSV exports, for each account and in total: while its reader is slow, an export
// holds a socket and a chunk of text.

import { Refusal } from '../primitives/refusal.ts'

const of_account_max = 5
const in_all_max = 50

const open = new Map<string, number>()
let in_all = 0

/** Counts one more export of the account. The caller must call the returned function at its end. */
export function openExport(account_id: string): () => void {
  const of_account = open.get(account_id) ?? 0
  if (of_account >= of_account_max || in_all >= in_all_max) throw tooMany()
  open.set(account_id, of_account + 1)
  in_all += 1
  return () => {
    const left = open.get(account_id)! - 1
    if (left === 0) open.delete(account_id)
    else open.set(account_id, left)
    in_all -= 1
  }
}

function tooMany(): Refusal {
  return new Refusal(
    'rate_limited',
    `Too many downloads: at most ${of_account_max} may run at once for an account and ` +
      `${in_all_max} in total. Wait until one has finished, then retry.`,
    { retry_after_s: 5 },
  )
}
