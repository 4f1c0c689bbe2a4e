// Every account has books that agree with it, and every open one has exactly one owner.

import type { AccountLock, CheckedLock } from '../ledger/lock-row.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange, Difference } from '../primitives/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import { type AccountUserFacts, listAccountUserFacts } from '../users/verify-users.ts'
import { type AccountStanding, countByStatusAndType, selectStandings } from './queries.ts'

export const countAccountsByKind = countByStatusAndType

/** Locks of the same range, read in the same snapshot. */
export async function verifyAccounts(
  db: Queryable,
  range: AccountRange,
  locks: CheckedLock[],
): Promise<Difference[]> {
  const accounts = await selectStandings(db, range)
  const people = await listAccountUserFacts(db, range)
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  const people_of = new Map(people.map((one) => [one.account_id, one]))
  const known = new Set(accounts.map(({ id }) => id))
  return [
    ...accounts.flatMap((account) => [
      ...checkStanding(account, lock_of.get(account.id)),
      ...checkClosing(account, lock_of.get(account.id)),
      ...checkOwner(account, people_of.get(account.id), lock_of.get(account.id)),
    ]),
    ...locks
      .filter(({ account_id }) => !known.has(account_id))
      .map(({ account_id }) => without(account_id, 'books', 'books')),
    ...people
      .filter(({ account_id }) => !known.has(account_id))
      .map(({ account_id, people: n }) => without(account_id, 'users', `${n} users`)),
  ]
}

export function checkStanding(
  account: AccountStanding,
  lock: AccountLock | undefined,
): Difference[] {
  const account_id = toTypeId('account', account.id)
  const rule = 'balance_agrees_with_account'
  if (lock === undefined) {
    return [{ rule, account_id, object: 'books', found: 'no books', expected: 'books' }]
  }
  return (['status', 'currency'] as const)
    .filter((object) => lock[object] !== account[object])
    .map((object) => ({
      rule,
      account_id,
      object,
      found: `${lock[object]} in the books`,
      expected: `${account[object]}, as the account says`,
    }))
}

/** Only a closed account can have a closing in progress. */
export function checkClosing(
  account: AccountStanding,
  lock: Pick<CheckedLock, 'is_closing'> | undefined,
): Difference[] {
  if (!lock?.is_closing || account.status === 'closed') return []
  const account_id = toTypeId('account', account.id)
  const found = `a closing of an account that is ${account.status}`
  return [
    {
      rule: 'only_closed_accounts_are_cleaned_up',
      account_id,
      object: 'closing',
      found,
      expected: 'none',
    },
  ]
}

export function checkOwner(
  account: AccountStanding,
  people: AccountUserFacts | undefined,
  lock?: Pick<CheckedLock, 'is_closing'>,
): Difference[] {
  const account_id = toTypeId('account', account.id)
  if (account.status === 'closed') {
    if (lock?.is_closing) return []
    const found = `${people?.people} users`
    const left = { account_id, object: 'users', found, expected: 'none' }
    return people === undefined ? [] : [{ rule: 'closed_accounts_have_no_users', ...left }]
  }
  const rule = 'accounts_have_one_owner'
  const expected = `${toTypeId('user', account.owner_id)} with the email ${account.email}`
  const owners = people?.owner_ids ?? []
  const found = owners.map((id, at) => {
    return `${toTypeId('user', id)} with the email ${people!.owner_emails[at]}`
  })
  if (found.join() === expected) return []
  return [{ rule, account_id, object: 'owner', found: found.join(', ') || 'nobody', expected }]
}

function without(id: string, object: string, found: string): Difference {
  const account_id = toTypeId('account', id)
  const expected = 'nothing, since there is no such account'
  return { rule: 'nothing_is_left_without_account', account_id, object, found, expected }
}
