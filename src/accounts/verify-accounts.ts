// Checks that every account has a balance row that agrees with it, and that every open account has
// exactly one owner.

import { type AccountUserFacts, listAccountUserFacts } from '../identity/users/verify-users.ts'
import type { AccountLock, CheckedLock } from '../ledger/lock-row.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange, Difference } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import { type AccountFacts, countByStatusAndType, selectAccountFacts } from './queries.ts'

export const countAccountsByKind = countByStatusAndType

/** `locks` are those of the same range, read in the same snapshot. */
export async function verifyAccounts(
  db: Queryable,
  range: AccountRange,
  locks: CheckedLock[],
): Promise<Difference[]> {
  const accounts = await selectAccountFacts(db, range)
  const users = await listAccountUserFacts(db, range)
  const lock_of = new Map(locks.map((lock) => [lock.account_id, lock]))
  const users_of = new Map(users.map((facts) => [facts.account_id, facts]))
  const known = new Set(accounts.map(({ id }) => id))
  return [
    ...accounts.flatMap((account) => [
      ...checkBalanceRow(account, lock_of.get(account.id)),
      ...checkClosing(account, lock_of.get(account.id)),
      ...checkOwner(account, users_of.get(account.id), lock_of.get(account.id)),
    ]),
    ...locks
      .filter(({ account_id }) => !known.has(account_id))
      .map(({ account_id }) => reportOrphan(account_id, 'balances', 'a row')),
    ...users
      .filter(({ account_id }) => !known.has(account_id))
      .map(({ account_id, users: n }) => reportOrphan(account_id, 'users', `${n} users`)),
  ]
}

function checkBalanceRow(account: AccountFacts, lock: AccountLock | undefined): Difference[] {
  const account_id = toTypeId('account', account.id)
  const rule = 'balance_agrees_with_account'
  if (lock === undefined) {
    return [{ rule, account_id, object: 'balances', found: 'no row', expected: 'a row' }]
  }
  return (['status', 'currency'] as const)
    .filter((object) => lock[object] !== account[object])
    .map((object) => ({
      rule,
      account_id,
      object,
      found: `${lock[object]} in balances`,
      expected: `${account[object]}, as in accounts`,
    }))
}

/** Only a closed account can have a closing in progress. */
function checkClosing(
  account: AccountFacts,
  lock: Pick<CheckedLock, 'is_closing'> | undefined,
): Difference[] {
  if (!lock?.is_closing || account.status === 'closed') return []
  const account_id = toTypeId('account', account.id)
  const found = `a closing of an account with the status ${account.status}`
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

function checkOwner(
  account: AccountFacts,
  users: AccountUserFacts | undefined,
  lock?: Pick<CheckedLock, 'is_closing'>,
): Difference[] {
  const account_id = toTypeId('account', account.id)
  if (account.status === 'closed') {
    if (lock?.is_closing) return []
    const found = `${users?.users} users`
    const rest = { account_id, object: 'users', found, expected: 'none' }
    return users === undefined ? [] : [{ rule: 'closed_accounts_have_no_users', ...rest }]
  }
  const rule = 'accounts_have_one_owner'
  const expected = `${toTypeId('user', account.owner_id)} with the email ${account.email}`
  const owners = users?.owner_ids ?? []
  const found = owners.map((id, at) => {
    return `${toTypeId('user', id)} with the email ${users!.owner_emails[at]}`
  })
  if (found.join() === expected) return []
  return [{ rule, account_id, object: 'owner', found: found.join(', ') || 'no owner', expected }]
}

function reportOrphan(id: string, object: string, found: string): Difference {
  const account_id = toTypeId('account', id)
  const expected = 'nothing, because the account does not exist'
  return { rule: 'nothing_is_left_without_account', account_id, object, found, expected }
}
