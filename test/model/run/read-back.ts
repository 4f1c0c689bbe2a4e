// At the end of a sequence everything is read once more, by somebody who sees all of it.

import { closeAccount, getAccount, searchAccounts } from '../accounts.ts'
import { listKeys } from '../api-keys.ts'
import { getBalance } from '../ledger.ts'
import type { Listed, ListWish } from '../lists.ts'
import { listPayments } from '../payments.ts'
import { whoIs } from '../permissions.ts'
import { listSessions } from '../sessions.ts'
import { deleteSubscription, listSubscriptions } from '../subscriptions.ts'
import { listTransactions } from '../transactions.ts'
import { listAccountUsers, searchUsers } from '../users.ts'
import { listEndpoints } from '../webhooks.ts'
import { type Account, type Ask, newestFirst, type Outcome, type World } from '../world.ts'
import { followEvents } from './follow-events.ts'
import { checkStatement } from './read-statement.ts'
import { expect, type Server, send } from './server.ts'

export async function readBack(server: Server, world: World): Promise<void> {
  await readTotals(server, world)
  for (const account of world.accounts) {
    await followEvents(server, world, account)
    await readAccount(server, world, account)
  }
  await readCredentials(server, world)
}

async function readTotals(server: Server, world: World): Promise<void> {
  const caller = { session: server.root }
  const wish = { page: 1, limit: 100, status: undefined, type: undefined }
  const query = `page=1&limit=100&search=${world.tag}`
  const users: Ask = { method: 'GET', path: `/v1/users?${query}`, caller }
  await expect(server, world, 'all users', users, searchUsers(world, users, wish))
  const accounts: Ask = { method: 'GET', path: `/v1/accounts?${query}`, caller }
  await expect(server, world, 'all accounts', accounts, searchAccounts(world, accounts, wish))
  const totals = await readCounts(server, world)
  const expected = Object.fromEntries(
    Object.entries(world.before).map(([list, count]) => [list, count + countOf(world, list)]),
  )
  if (JSON.stringify(totals) === JSON.stringify(expected)) return
  const [found, wanted] = [totals, expected].map((one) => JSON.stringify(one))
  throw new Error(`the totals of lists are ${found}; the model says ${wanted}`)
}

const counted = ['users active', 'users suspended', 'accounts active', 'accounts closed']

/** How many this sequence has of a kind. */
function countOf(world: World, list: string): number {
  const [noun, status] = list.split(' ')
  const present = world.people.filter(({ gone }) => !gone)
  const rows: { status: string }[] = noun === 'users' ? present : world.accounts
  return rows.filter((row) => row.status === status).length
}

/** As the lists say it, whatever sequence they belong to. */
export async function readCounts(server: Server, world: World): Promise<World['before']> {
  const counts: World['before'] = {}
  for (const list of counted) {
    const path = `/v1/${list.replace(' ', '?limit=1&status=')}`
    const ask = { method: 'GET', path, caller: { session: server.root } }
    const { total, total_records } = (await send(server, world, ask)).body.pagination
    counts[list] = total ?? total_records
  }
  return counts
}

async function readAccount(server: Server, world: World, account: Account): Promise<void> {
  const read = (path: string, judge: (ask: Ask) => Outcome) => {
    const ask: Ask = { method: 'GET', path, caller: { session: server.root }, account }
    return expect(server, world, `at the end ${path.split('?')[0]}`, ask, judge(ask))
  }
  await read('/v1/account', getAccount)
  await read('/v1/account/balance', (ask) => getBalance(world, ask))
  await checkStatement(server, world, account)
  const all = { limit: 100, cursor: undefined, status: undefined, type: undefined }
  await read('/v1/account/users?limit=100', (ask) => listAccountUsers(world, ask, all))
  await read('/v1/api_keys?limit=100', (ask) => listKeys(world, ask, all))
  await read('/v1/webhook_endpoints?limit=100', (ask) => listEndpoints(world, ask, all))
  await read('/v1/subscriptions?limit=100', (ask) => listSubscriptions(world, ask, all))
  const own = <Row extends { account: Account }>(rows: Row[]) =>
    rows.filter((row) => row.account === account)
  await walk(own(world.transactions), (query, wish) =>
    read(`/v1/transactions?${query}`, (ask) => listTransactions(world, ask, { ...all, ...wish })),
  )
  await walk(own(world.payments), (query, wish) =>
    read(`/v1/payments?${query}`, (ask) => listPayments(world, ask, { ...all, ...wish })),
  )
}

/** Page by page to the oldest, and a page back towards the newest. */
async function walk<Row extends Listed>(
  rows: Row[],
  readPage: (query: string, wish: ListWish<Row>) => Promise<{ body: { data: { id: string }[] } }>,
): Promise<void> {
  const limit = 25
  const oldest = newestFirst(rows).at(-1)
  let last: Row | undefined
  do {
    const cursor = last && { edge: 'starting_after' as const, row: last }
    const query = `limit=${limit}${last ? `&starting_after=${last.id.known}` : ''}`
    const { body } = await readPage(query, { limit, cursor })
    const id = body.data.at(-1)?.id
    last = body.data.length < limit ? undefined : rows.find((row) => row.id.known === id)
  } while (last !== undefined)
  if (oldest === undefined) return
  const cursor = { edge: 'ending_before' as const, row: oldest }
  await readPage(`limit=2&ending_before=${oldest.id.known}`, { limit: 2, cursor })
}

/** Every credential there ever was: it works, or it is dead. */
async function readCredentials(server: Server, world: World): Promise<void> {
  const all = { limit: 100, cursor: undefined }
  for (const session of world.sessions) {
    const ask: Ask = { method: 'GET', path: '/v1/auth/sessions?limit=100', caller: { session } }
    await expect(server, world, 'at the end a session', ask, listSessions(world, ask, all))
  }
  for (const key of world.keys) {
    const ask: Ask = { method: 'GET', path: '/v1/account', caller: { key } }
    await expect(server, world, 'at the end a key', ask, getAccount(ask))
  }
}

/** Leaves nothing that could fall due later, and is a check of closing by itself. */
export async function closeAll(server: Server, world: World): Promise<void> {
  const caller = { session: server.root }
  for (const account of world.accounts) {
    for (const one of world.subscriptions) {
      if (one.account !== account || one.status !== 'active') continue
      world.turn += 1
      const path = `/v1/subscriptions/${one.id.known}`
      const ask: Ask = { method: 'DELETE', path, caller, account }
      await expect(server, world, 'end', ask, deleteSubscription(world, ask, one))
    }
    world.turn += 1
    const ask: Ask = { method: 'DELETE', path: '/v1/account', caller, account }
    await expect(server, world, 'close at the end', ask, closeAccount(world, ask))
    await followEvents(server, world, account)
    await checkStatement(server, world, account)
  }
  for (const caller of world.sessions.map((session) => ({ session }))) {
    if (whoIs(caller)?.account === undefined) continue
    throw new Error('a session of a closed account lives')
  }
}
