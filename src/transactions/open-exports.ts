// How many files are written at once. Each holds a socket and a piece of text while its reader is
// slow, so their number is bounded for each account and for all of them together.

import { Refusal } from '../primitives/refusal.ts'

const of_account_max = 5
const in_all_max = 50

const open = new Map<string, number>()
let in_all = 0

/** Counts one more file of the account. The caller ends it with the function that is returned. */
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
    `An account can download ${of_account_max} files at once, and all accounts together ` +
      `${in_all_max}. Wait until a download has finished, then retry.`,
    { retry_after_s: 5 },
  )
}
