// The exact fields of each response, and what the responses do not include.

import { findUuid, toTypeId } from '../../src/primitives/ids.ts'
import type { ApiResponse } from '../support/call.ts'
import type { Florin } from '../support/florin.ts'

export const userKeys = ['created_at', 'email', 'id', 'name', 'status', 'updated_at']

export const listedAccountKeys = [
  'created_at',
  'email',
  'id',
  'name',
  'status',
  'type',
  'updated_at',
]

export const accountKeys = [...listedAccountKeys, 'settings'].sort()

export function keysOf(response: ApiResponse): string[] {
  return Object.keys(response.body).sort()
}

/** Reads a user's role and account from the database. */
export async function accountAndRoleOf(
  florin: Florin,
  user_id: string,
): Promise<[string, string | null]> {
  const text = 'select role, account_id from users where id = $1'
  const { rows } = await florin.db.pool.query(text, [findUuid('user', user_id)])
  const { role, account_id } = rows[0]
  return [role, account_id && toTypeId('account', account_id)]
}
