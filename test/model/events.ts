// Events: each change once, numbered without gaps, with the object as the API shows it.

import { authorizeForAccount } from './permissions.ts'
import type { Account, ExpectedEvent, ModelRequest, Outcome } from './world.ts'
import { notFound } from './world.ts'

export function showEvent(account: Account, told: ExpectedEvent, sequence: number) {
  const { id, type, created_at, data } = told
  return { id, type, account_id: account.id, sequence, created_at, data }
}

export function readEvents(request: ModelRequest): { account: Account } | Outcome {
  return authorizeForAccount(request, 'read events')
}

/** One whose place is known already. */
export function getEvent(request: ModelRequest, of: Account, sequence: number): Outcome {
  const authorized = authorizeForAccount(request, 'read events')
  if ('status' in authorized) return authorized
  const { account } = authorized
  const told = of.events[sequence - 1]
  if (told === undefined || account !== of) return notFound()
  return { status: 200, body: showEvent(account, told, sequence) }
}
