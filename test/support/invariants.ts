// Rules that must hold in every database after every test.

import assert from 'node:assert/strict'
import type pg from 'pg'
import { verifyDatabase } from '../../src/operations/verify-database.ts'
import type { Db } from '../../src/postgres/database.ts'
import type { Difference } from '../../src/postgres/difference.ts'
import { findCluster } from '../../src/postgres/distribute.ts'
import { chargeRules } from './charge-rules.ts'
import { checkPoolOf } from './check-pool.ts'
import { onPlainCopies } from './citus.ts'
import { disputeRules } from './dispute-rules.ts'
import { moneyRules } from './money-rules.ts'
import { paymentRules } from './payment-rules.ts'
import { payoutRules } from './payout-rules.ts'
import { subscriptionRules } from './subscription-rules.ts'
import { transferRules } from './transfer-rules.ts'
import { queryWithoutTimeout } from './without-timeout.ts'

interface Rule {
  name: string
  /** Selects the rows that violate the rule. */
  text: string
}

const rules: Rule[] = [
  {
    name: 'every account has a balances row with the same status and currency',
    text: `select accounts.id from accounts left join balances on balances.account_id = accounts.id
      where balances.status is distinct from accounts.status
        or balances.currency is distinct from accounts.currency`,
  },
  {
    name: "an account's events are numbered from 1 without gaps, up to its event_sequence",
    text: `select balances.account_id from balances
      left join events on events.account_id = balances.account_id
      group by balances.account_id
      having count(sequence) <> event_sequence or coalesce(max(sequence), 0) <> event_sequence`,
  },
  {
    name: "times of an account's events never go back",
    text: `select account_id from (
        select account_id, at < lag(at) over (partition by account_id order by sequence) as back
        from events) as steps where back`,
  },
  {
    name: 'list counters match the rows',
    text: `with counted as (
        select 'users' as list, status, '' as type, count(*) as n from users group by status
        union all
        select 'accounts', status, type, count(*) from accounts group by status, type),
      stored as (
        select list, status, type, sum(n) as n from list_counts group by list, status, type)
      select list, status, type from counted full join stored using (list, status, type)
      where coalesce(counted.n, 0) <> coalesce(stored.n, 0)`,
  },
  {
    name: 'every user has the claim on their email',
    text: `select users.id from users left join email_claims using (email_canonical)
      where email_claims.user_id is distinct from users.id
        and (account_id is null or account_id not in (select account_id from account_closings))`,
  },
  {
    name: 'every token belongs to a live session of an active user with the same account and role',
    text: `select principal_id from tokens left join sessions on sessions.id = tokens.principal_id
      left join users on users.id = tokens.user_id
      where kind <> 'api_key' and (
        sessions.user_id is distinct from tokens.user_id or users.status <> 'active'
        or users.account_id is distinct from sessions.account_id or users.role <> sessions.role)
        and not exists (select 1 from ended_sessions where session_id = principal_id)
        and not exists (select 1 from revoked_grantors where revoked_grantors.id in (
          sessions.account_id, sessions.created_by_key_id))`,
  },
  {
    name: 'every live API key has its token, and every API key token has its live key',
    text: `select id from (select * from api_keys where revoked_at is null) as live
      full join (select * from tokens where kind = 'api_key') as keyed
        on keyed.principal_id = live.id
      where live.account_id is distinct from keyed.account_id or live.id is null
        or live.role is distinct from keyed.role or live.scopes is distinct from keyed.scopes
        or live.user_id is distinct from keyed.user_id`,
  },
  {
    name: 'every live API key was created by an active user, for an open account',
    text: `select api_keys.id from api_keys left join users on users.id = api_keys.user_id
      left join accounts on accounts.id = api_keys.account_id
      where revoked_at is null
        and (users.status is distinct from 'active' or accounts.status = 'closed')
        and (accounts.id is null or accounts.id not in (select account_id from account_closings))`,
  },
  {
    name: "the last forty bits of an event's id are its sequence",
    text: `select id from events where right(id::text, 10) <> lpad(to_hex(sequence), 10, '0')`,
  },
  {
    name: 'a closed account has no users, tokens or sessions',
    text: `select accounts.id from accounts join users on users.account_id = accounts.id
      where accounts.status = 'closed'
        and accounts.id not in (select account_id from account_closings)`,
  },
  {
    name: "every open account has exactly one owner, with the account's email",
    text: `select accounts.id from accounts left join users
        on users.id = accounts.owner_id and users.role = 'owner' and users.account_id = accounts.id
      where accounts.status <> 'closed' and users.email is distinct from accounts.email`,
  },
]

const all = [
  ...rules,
  ...moneyRules,
  ...chargeRules,
  ...disputeRules,
  ...payoutRules,
  ...paymentRules,
  ...subscriptionRules,
  ...transferRules,
]

// One named statement for all rules, which is planned once: planning took nine tenths of the time
// after every test of two hundred files, and separate queries most of the rest.
const together = all.map(({ text }, at) => `select ${at} as rule where exists (${text})`)
const statement = { name: 'check_invariants', text: together.join(' union all ') }

export async function checkInvariants(server_pool: pg.Pool): Promise<void> {
  const pool = checkPoolOf(server_pool)
  if (await isDistributed(server_pool)) return checkCopies(server_pool)
  const found = await pool.query<{ rule: number }>(statement).catch((error) => {
    // After a million fuzz requests a rule needs more time than the statement timeout allows.
    if (error.code !== '57014') throw error
    return queryWithoutTimeout(pool, statement.text)
  })
  if (found.rows.length === 0) return
  const { name, text } = all[found.rows[0]!.rule]!
  assert.deepEqual((await pool.query(text)).rows, [], `violated: ${name}`)
  assert.fail(`violated temporarily: ${name}`)
}

// Without a server for shards, the catalog is that of shard-catalog.ts.
const distributed = new WeakMap<pg.Pool, Promise<boolean>>()

function isDistributed(pool: pg.Pool): Promise<boolean> {
  if (!distributed.has(pool)) {
    distributed.set(
      pool,
      findCluster(pool).then((cluster) => (cluster?.shards ?? 0) > 0 && cluster!.servers > 0),
    )
  }
  return distributed.get(pool)!
}

async function checkCopies(pool: pg.Pool): Promise<void> {
  await onPlainCopies(pool, async (client) => {
    const found = await client.query<{ rule: number }>(statement.text)
    if (found.rows.length === 0) return
    const { name, text } = all[found.rows[0]!.rule]!
    assert.deepEqual((await client.query(text)).rows, [], `violated: ${name}`)
  })
}

/** Runs `florin verify`, whose checks are independent of the rules above. */
export async function assertVerifyPasses(db: Db): Promise<void> {
  const differences: Difference[] = []
  await verifyDatabase(db, { onDifference: (difference) => differences.push(difference) })
  assert.deepEqual(differences, [], 'florin verify finds differences')
}
