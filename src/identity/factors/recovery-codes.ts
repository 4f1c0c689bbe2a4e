// Recovery codes: ten codes of 80 random bits, each of which replaces a factor once. They are
// stored as hashes. A fast hash is enough, because 80 random bits cannot be guessed.

import { randomBytes } from 'node:crypto'
import type { Tx } from '../../postgres/database.ts'
import { sha256 } from '../../primitives/secrets.ts'
import {
  deleteFactorRows,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  insertRecoveryCodes,
} from './queries.ts'
import { toBase32 } from './totp.ts'

const codes_count = 10

/** Replaces all codes of the user. The response is the only place where they are shown. */
export async function replaceRecoveryCodes(tx: Tx, user_id: string): Promise<string[]> {
  const codes = Array.from({ length: codes_count }, newCode)
  await deleteRecoveryCodes(tx, [user_id])
  await insertRecoveryCodes(
    tx,
    user_id,
    codes.map((code) => hashOf(user_id, code)),
  )
  return codes
}

/** Deletes the code, so that it works once. Returns whether there was one. */
export function useRecoveryCode(tx: Tx, user_id: string, code: string): Promise<boolean> {
  return deleteRecoveryCode(tx, user_id, hashOf(user_id, code))
}

/** Deletes all factors and recovery codes. Returns how many factors there were. */
export async function deleteFactorsOfUsers(tx: Tx, user_ids: string[]): Promise<number> {
  await deleteRecoveryCodes(tx, user_ids)
  return deleteFactorRows(tx, user_ids)
}

/** For example `k3qz-7m2c-vw5h-x4ta`. */
function newCode(): string {
  return toBase32(randomBytes(10)).toLowerCase().match(/.{4}/g)!.join('-')
}

/** Case, spaces and hyphens do not count. */
function hashOf(user_id: string, code: string): Buffer {
  return sha256(`${user_id}\n${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
}
