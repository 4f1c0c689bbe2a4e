// Checks that every live key has exactly one token with the same data, and that every token of a
// key has a live key. users/ checks whether the creator is active.

import { listClosings } from '../../ledger/closings.ts'
import type { Queryable } from '../../postgres/database.ts'
import { type Difference, differences_max } from '../../postgres/difference.ts'
import { nil_uuid, toTypeId } from '../../primitives/ids.ts'
import { findKeyTokens, type KeyTokenRow, listKeyTokens } from '../sessions/key-tokens.ts'
import type { KeyRow } from './api-key.ts'
import { selectLiveIds, selectLiveKeysAfter } from './queries.ts'

const keys_at_once = 1_000

type FindActive = (user_ids: string[]) => Promise<Set<string>>

export async function verifyKeys(db: Queryable, findActive: FindActive): Promise<Difference[]> {
  const differences = await findTokensWithoutKey(db)
  // Closing an account invalidates its keys at once; clean-up revokes them later.
  const closings = new Set<string | null>(await listClosings(db))
  for (let after = nil_uuid; differences.length < differences_max; ) {
    const keys = await selectLiveKeysAfter(db, after, keys_at_once)
    const ids = keys.map(({ id }) => id)
    const tokens = await findKeyTokens(db, ids)
    const active = await findActive([...new Set(keys.map(({ user_id }) => user_id))])
    for (const key of keys.filter(({ account_id }) => !closings.has(account_id))) {
      const of_key = tokens.filter(({ principal_id }) => principal_id === key.id)
      differences.push(...checkKey(key, of_key, active.has(key.user_id)))
    }
    if (keys.length < keys_at_once) break
    after = ids.at(-1)!
  }
  return differences.slice(0, differences_max)
}

async function findTokensWithoutKey(db: Queryable): Promise<Difference[]> {
  const differences: Difference[] = []
  for await (const tokens of listKeyTokens(db, keys_at_once)) {
    const rows = await selectLiveIds(
      db,
      tokens.map(({ principal_id }) => principal_id),
    )
    const live = new Set(rows.map(({ id }) => id))
    const orphans = tokens.filter(({ principal_id }) => !live.has(principal_id))
    differences.push(...orphans.map(reportOrphanToken))
  }
  return differences
}

function reportOrphanToken({ principal_id, account_id }: KeyTokenRow): Difference {
  return {
    rule: 'key_tokens_have_a_key',
    account_id: account_id && toTypeId('account', account_id),
    object: `a token of ${toTypeId('api_key', principal_id)}`,
    found: 'no key or a revoked key',
    expected: 'a live key',
  }
}

function checkKey(key: KeyRow, tokens: KeyTokenRow[], has_creator: boolean): Difference[] {
  const account_id = key.account_id && toTypeId('account', key.account_id)
  const object = toTypeId('api_key', key.id)
  const differences: Difference[] = []
  const report = (rule: string, found: string, expected: string) =>
    differences.push({ rule, account_id, object, found, expected })
  const expected = describeKeyToken(key)
  if (tokens.length !== 1) report('keys_have_a_token', `${tokens.length} tokens`, 'one token')
  for (const token of tokens) {
    if (describeKeyToken(token) !== expected)
      report('keys_have_a_token', describeKeyToken(token), expected)
  }
  if (!has_creator)
    report('keys_have_an_active_creator', 'a deleted or suspended creator', 'an active creator')
  return differences
}

function describeKeyToken(token: Omit<KeyTokenRow, 'principal_id'>): string {
  const account = token.account_id ? toTypeId('account', token.account_id) : 'no account'
  const creator = token.user_id ? toTypeId('user', token.user_id) : 'no user'
  const scopes = token.scopes?.join(' ') ?? 'none'
  return `${token.role} of ${account}, created by ${creator}, scopes ${scopes}`
}
