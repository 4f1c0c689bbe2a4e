// The balance and the statement, calculated from transactions and movements each time.

import { authorizeForAccount } from './permissions.ts'
import { bucketsOf } from './transactions.ts'
import type { Account, ModelRequest, Outcome, Posting, World } from './world.ts'

export function getBalance(world: World, request: ModelRequest): Outcome {
  const authorized = authorizeForAccount(request, 'read balances')
  if ('status' in authorized) return authorized
  const { account } = authorized
  const { id: account_id, settings, money_moved_at: updated_at } = account
  const { currency } = settings
  const buckets = { ...bucketsOf(world, account), owed: 0 }
  return { status: 200, body: { account_id, currency, ...buckets, updated_at } }
}

/** Movements of one turn, whose order is unspecified. Sequences are those of the account. */
export interface StatementGroup {
  first: number
  last: number
  lines: Posting[]
}

/** Oldest first. The reader determines the order of lines within a turn. */
export function statementOf({ postings }: Account): StatementGroup[] {
  const turns = new Map<number, StatementGroup>()
  postings.forEach((posting, at) => {
    const turn = turns.get(posting.turn) ?? { first: at + 1, last: at + 1, lines: [] }
    turn.last = at + 1
    if (posting.available !== 0) turn.lines.push(posting)
    turns.set(posting.turn, turn)
  })
  return [...turns.values()].filter(({ lines }) => lines.length > 0)
}

export function showLine({ transaction, available, at }: Posting) {
  const { id: transaction_id, type, status, reference } = transaction
  return { created_at: at, transaction_id, type, status, reference, amount: available }
}
