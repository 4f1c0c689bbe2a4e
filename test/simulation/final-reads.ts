// Reads the database at the end of a run, in one snapshot.

import { execFile } from 'node:child_process'
import pg from 'pg'
import { type IdKind, toTypeId } from '../../src/primitives/ids.ts'
import type { Final, History } from './history.ts'
import { readRecordedMoney } from './provider/recorded-money.ts'
import type { Fleet } from './servers/fleet.ts'
import { launcher } from './servers/florin-server.ts'

type DatabaseRow = Record<string, string>

type ReadFleet = Pick<Fleet, 'database' | 'env'>

export async function readFinal(fleet: ReadFleet, florin = launcher): Promise<Final> {
  const client = new pg.Client(await fleet.database.connection())
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const query = async (text: string) => (await client.query(text)).rows as DatabaseRow[]
    const read = await readTables(query)
    return { ...read, differences: await verify(fleet.env, florin) }
  } finally {
    await client.end()
  }
}

/** Counts pending transactions. At zero, the worker has nothing left to settle. */
export const countPending = (fleet: ReadFleet) =>
  count(fleet, `transactions where status = 'pending'`)

export const countTransfersInTransit = (fleet: ReadFleet) =>
  count(fleet, `transfers where status = 'in_transit'`)

async function count(fleet: ReadFleet, rows_of: string): Promise<number> {
  const client = new pg.Client(await fleet.database.connection())
  await client.connect()
  try {
    const { rows } = await client.query(`select count(*)::int as n from ${rows_of}`)
    return rows[0].n
  } finally {
    await client.end()
  }
}

/** Counts the events of accounts with webhooks that the runner has not received. */
export async function countUndelivered(fleet: ReadFleet, { webhooks }: History): Promise<number> {
  const received = new Set(webhooks.map(({ event }) => event))
  const client = new pg.Client(await fleet.database.connection())
  await client.connect()
  try {
    const { rows } = await client.query(
      `select id from events
        where account_id in (select account_id from webhook_endpoints)
          and (type like 'transaction.%' or type like 'payment.%')`,
    )
    return rows.filter(({ id }) => !received.has(toTypeId('event', id))).length
  } finally {
    await client.end()
  }
}

async function readTables(query: (text: string) => Promise<DatabaseRow[]>): Promise<Final> {
  const balances = await query(`select * from balances`)
  const postings = await query(
    `select *, extract(epoch from at) * 1000 as at_ms from postings order by account_id, sequence`,
  )
  const transactions = await query(`select * from transactions order by id`)
  const payments = await query(`select * from payment_requests order by id`)
  const transfers = await query(`select * from transfers order by id`)
  const events = await query(
    `select account_id, sequence, id, type, object_id from events order by account_id, sequence`,
  )
  const recorded = await readRecordedMoney(query)
  return {
    kind: 'final',
    balances: balances.map((row) => ({
      account: accountOf(row),
      available: Number(row.available),
      incoming: Number(row.incoming),
      held: Number(row.held),
      owed: Number(row.owed),
      posting_sequence: Number(row.posting_sequence),
      event_sequence: Number(row.event_sequence),
    })),
    postings: postings.map((row) => ({
      account: accountOf(row),
      sequence: Number(row.sequence),
      transaction: toTypeId('transaction', row.transaction_id!),
      movement: row.movement!,
      amount: Number(row.amount),
      available_after: Number(row.available_after),
      at_ms: Number(row.at_ms),
    })),
    transactions: transactions.map((row) => ({
      account: accountOf(row),
      id: toTypeId('transaction', row.id!),
      status: row.status!,
      type: row.type!,
      amount: Number(row.amount),
      refund_of: row.refund_of ? toTypeId('transaction', row.refund_of) : null,
      metadata: JSON.parse(row.metadata ?? '{}'),
    })),
    payments: payments.map((row) => ({
      account: accountOf(row),
      id: toTypeId('payment', row.id!),
      status: row.status!,
      amount: Number(row.amount),
      transaction: row.transaction_id ? toTypeId('transaction', row.transaction_id) : null,
      metadata: JSON.parse(row.metadata ?? '{}'),
    })),
    transfers: transfers.map((row) => ({
      account: accountOf(row),
      id: toTypeId('transfer', row.id!),
      transaction: toTypeId('transaction', row.id!),
      side: row.side!,
      status: row.status!,
      to: toTypeId('account', row.to_account_id!),
      amount: Number(row.amount),
      fee: Number(row.fee_amount),
      fee_to: row.fee_account_id ? toTypeId('account', row.fee_account_id) : null,
      returned: Number(row.returned_amount),
      metadata: row.side === 'out' && row.reference ? { tag: row.reference } : {},
    })),
    events: events.map((row) => ({
      account: accountOf(row),
      sequence: Number(row.sequence),
      id: toTypeId('event', row.id!),
      type: row.type!,
      object: toTypeId(nounOf(row.type!), row.object_id!),
    })),
    recorded,
    differences: [],
  }
}

function accountOf({ account_id }: DatabaseRow): string {
  return toTypeId('account', account_id!)
}

function nounOf(type: string): IdKind {
  const noun = type.slice(0, type.indexOf('.'))
  const is_known = noun === 'transaction' || noun === 'payment' || noun === 'dispute'
  return is_known ? noun : 'account'
}

/** Runs `florin verify` on the same database. Its rules are independent of the checks. */
function verify(env: NodeJS.ProcessEnv, florin: string): Promise<string[]> {
  const { NODE_OPTIONS: _, ...plain } = env
  const options = { env: plain, cwd: '/', maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve) => {
    execFile(process.execPath, [florin, 'verify', '--json'], options, (error, stdout, stderr) => {
      const lines = stdout.split('\n').filter((line) => line !== '')
      if (error === null) return resolve([])
      resolve(lines.length > 1 ? lines.slice(0, -1) : [`${error.message} ${stdout}${stderr}`])
    })
  })
}
