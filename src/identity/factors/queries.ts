import type { Queryable, Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { OldRows } from '../../postgres/sweep.ts'
import type { FactorRow, PasskeyRow, TotpRow } from './factor.ts'

const columns = sql`user_id, id, kind, name, confirmed_at, last_used_at, sealed_secret, key_id,
      last_step, credential_id, public_key, sign_count, transports`

export async function selectFactors(db: Queryable, user_id: string): Promise<FactorRow[]> {
  return db.rows(sql`
    select ${columns}
    from user_factors
    where user_id = ${user_id}
    order by id`)
}

/** Whether the user has a confirmed factor. */
export async function selectHasFactor(db: Queryable, user_id: string): Promise<boolean> {
  const found = await db.row(sql`
    select 1
    from user_factors
    where user_id = ${user_id} and confirmed_at is not null
    limit 1`)
  return found !== undefined
}

export async function selectPasskey(
  db: Queryable,
  credential_id: Buffer,
): Promise<PasskeyRow | undefined> {
  return db.row(sql`
    select ${columns}
    from user_factors
    where kind = 'passkey' and credential_id = ${credential_id}`)
}

export async function insertTotp(tx: Tx, row: TotpRow): Promise<void> {
  await tx.count(sql`
    insert into user_factors (user_id, id, kind, name, sealed_secret, key_id)
    values (${row.user_id}, ${row.id}, 'totp', ${row.name}, ${row.sealed_secret}, ${row.key_id})`)
}

/** False if another passkey has this credential. */
export async function insertPasskey(tx: Tx, row: PasskeyRow): Promise<boolean> {
  const inserted = await tx.count(sql`
    insert into user_factors (user_id, id, kind, name, confirmed_at, credential_id, public_key,
      sign_count, transports)
    values (${row.user_id}, ${row.id}, 'passkey', ${row.name}, ${row.confirmed_at},
      ${row.credential_id}, ${row.public_key}, ${row.sign_count}, ${row.transports})
    on conflict (credential_id) where kind = 'passkey' do nothing`)
  return inserted > 0
}

/** The code of this step was used. The secret may have been encrypted with a newer key. */
export async function updateTotp(tx: Tx, row: TotpRow): Promise<void> {
  await tx.count(sql`
    update user_factors
    set confirmed_at = ${row.confirmed_at}, last_used_at = ${row.last_used_at},
      last_step = ${row.last_step}, sealed_secret = ${row.sealed_secret}, key_id = ${row.key_id}
    where user_id = ${row.user_id} and id = ${row.id}`)
}

export async function updatePasskey(tx: Tx, row: PasskeyRow): Promise<void> {
  await tx.count(sql`
    update user_factors
    set last_used_at = ${row.last_used_at}, sign_count = ${row.sign_count}
    where user_id = ${row.user_id} and id = ${row.id}`)
}

export async function deleteFactor(tx: Tx, user_id: string, id: string): Promise<void> {
  await tx.count(sql`
    delete from user_factors
    where user_id = ${user_id} and id = ${id}`)
}

export async function deleteFactorRows(tx: Tx, user_ids: string[]): Promise<number> {
  return tx.count(sql`
    delete from user_factors
    where user_id = any(${user_ids}::uuid[])`)
}

export async function insertRecoveryCodes(
  tx: Tx,
  user_id: string,
  hashes: Buffer[],
): Promise<void> {
  await tx.count(sql`
    insert into recovery_codes (user_id, code_hash)
    select ${user_id}, unnest(${hashes}::bytea[])`)
}

export async function deleteRecoveryCode(
  tx: Tx,
  user_id: string,
  code_hash: Buffer,
): Promise<boolean> {
  const deleted = await tx.count(sql`
    delete from recovery_codes
    where user_id = ${user_id} and code_hash = ${code_hash}`)
  return deleted > 0
}

export async function deleteRecoveryCodes(tx: Tx, user_ids: string[]): Promise<void> {
  await tx.count(sql`
    delete from recovery_codes
    where user_id = any(${user_ids}::uuid[])`)
}

export async function countRecoveryCodes(db: Queryable, user_id: string): Promise<number> {
  const found = await db.row<{ n: number }>(sql`
    select count(*) as n
    from recovery_codes
    where user_id = ${user_id}`)
  return found!.n
}

interface ChallengeRow {
  challenge_hash: Buffer
  user_id: string | null
  expires_at: Date
}

export async function insertChallenge(db: Queryable, row: ChallengeRow): Promise<void> {
  await db.count(sql`
    insert into webauthn_challenges (challenge_hash, user_id, expires_at)
    values (${row.challenge_hash}, ${row.user_id}, ${row.expires_at})`)
}

/** Deletes the challenge. Returns whether it was valid for this user, or for a login. */
export async function deleteChallenge(
  tx: Tx,
  challenge_hash: Buffer,
  user_id: string | null,
  at: Date,
): Promise<boolean> {
  const deleted = await tx.count(sql`
    delete from webauthn_challenges
    where challenge_hash = ${challenge_hash} and user_id is not distinct from ${user_id}
      and expires_at > ${at}`)
  return deleted > 0
}

export const old_challenges: OldRows = {
  rows: sql`from webauthn_challenges where expires_at < now()`,
  key: sql`challenge_hash`,
  oldest_first: sql`expires_at`,
}

/** Skips a user who logs in right now: the login encrypts the secret again. */
export async function lockTotpOfOtherKeys(
  tx: Tx,
  key_ids: string[],
  limit: number,
): Promise<TotpRow[]> {
  return tx.rows(sql`
    select ${columns}
    from user_factors
    where kind = 'totp' and key_id = any(${key_ids}::text[])
    order by user_id
    limit ${limit}
    for update skip locked`)
}

export async function selectSecretCounts(db: Queryable): Promise<{ key_id: string; n: number }[]> {
  return db.rows(sql`
    select key_id, count(*) as n
    from user_factors
    where kind = 'totp'
    group by key_id
    order by key_id`)
}
