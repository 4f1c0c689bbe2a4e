import type { Queryable } from '../../postgres/database.ts'
import type { AccountRange } from '../../postgres/difference.ts'
import { sql } from '../../postgres/sql.ts'
import type { UserRow } from './user.ts'

export interface AccountUserFacts {
  account_id: string
  users: number
  owner_ids: string[]
  owner_emails: string[]
}

export async function selectAccountUserFacts(
  db: Queryable,
  range: AccountRange,
): Promise<AccountUserFacts[]> {
  return db.rows(sql`
    select account_id, count(*) as users,
      coalesce(array_agg(id) filter (where role = 'owner'), '{}') as owner_ids,
      coalesce(array_agg(email) filter (where role = 'owner'), '{}') as owner_emails
    from users
    where account_id > ${range.after} and account_id <= ${range.through}
    group by account_id`)
}

export interface BrokenClaim {
  id: string
  email_canonical: string
  /** The user who has claimed the email instead; null if there is no claim. */
  claimed_by: string | null
}

export async function selectBrokenClaims(
  db: Queryable,
  except_account_ids: string[],
  limit: number,
): Promise<BrokenClaim[]> {
  return db.rows(sql`
    select users.id, users.email_canonical, email_claims.user_id as claimed_by
    from users
    left join email_claims using (email_canonical)
    where email_claims.user_id is distinct from users.id
      and (account_id is null or account_id <> all(${except_account_ids}::uuid[]))
    order by users.id
    limit ${limit}`)
}

export async function countByStatus(db: Queryable): Promise<{ status: string; n: number }[]> {
  return db.rows(sql`
    select status, count(*) as n
    from users
    group by status`)
}

export async function selectUserRoles(
  db: Queryable,
  ids: string[],
): Promise<Pick<UserRow, 'id' | 'account_id' | 'role' | 'status'>[]> {
  return db.rows(sql`
    select id, account_id, role, status
    from users
    where id = any(${ids}::uuid[])`)
}
