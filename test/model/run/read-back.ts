// At the end of a sequence an admin reads everything again.

import { closeAccount, getAccount, searchAccounts } from '../accounts.ts'
import { listKeys } from '../api-keys.ts'
import { getBalance } from '../ledger.ts'
import type { Listed, ListInput } from '../lists.ts'
import { listPayments } from '../payments.ts'
import { findActor } from '../permissions.ts'
import { listSessions } from '../sessions.ts'
import { deleteSubscription, listSubscriptions } from '../subscriptions.ts'
import { listTransactions } from '../transactions.ts'
import { listAccountUsers, searchUsers } from '../users.ts'
import { listEndpoints } from '../webhooks.ts'
import { type Account, type ModelRequest, newestFirst, type Outcome, type World } from '../world.ts'
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
  const input = { page: 1, limit: 100, status: undefined, type: undefined }
  const query = `page=1&limit=100&search=${world.tag}`
  const users: ModelRequest = { method: 'GET', path: `/v1/users?${query}`, caller }
  await expect(server, world, 'all users', users, searchUsers(world, users, input))
  const accounts: ModelRequest = { method: 'GET', path: `/v1/accounts?${query}`, caller }
  await expect(server, world, 'all accounts', accounts, searchAccounts(world, accounts, input))
  const totals = await readCounts(server, world)
  const expected = Object.fromEntries(
    Object.entries(world.before).map(([list, count]) => [list, count + countOf(world, list)]),
  )
  if (JSON.stringify(totals) === JSON.stringify(expected)) return
  const [found, wanted] = [totals, expected].map((one) => JSON.stringify(one))
  throw new Error(`the list totals are ${found}; the model expects ${wanted}`)
}

const counted = ['users active', 'users suspended', 'accounts active', 'accounts closed']

/** Counts the rows of a kind in this sequence. */
function countOf(world: World, list: string): number {
  const [noun, status] = list.split(' ')
  const present = world.people.filter(({ deleted }) => !deleted)
  const rows: { status: string }[] = noun === 'users' ? present : world.accounts
  return rows.filter((row) => row.status === status).length
}

/** Reads the totals of the lists, over all sequences. */
export async function readCounts(server: Server, world: World): Promise<World['before']> {
  const counts: World['before'] = {}
  for (const list of counted) {
    const path = `/v1/${list.replace(' ', '?limit=1&status=')}`
    const request = { method: 'GET', path, caller: { session: server.root } }
    const { total, total_records } = (await send(server, world, request)).body.pagination
    counts[list] = total ?? total_records
  }
  return counts
}

async function readAccount(server: Server, world: World, account: Account): Promise<void> {
  const read = (path: string, outcomeOf: (request: ModelRequest) => Outcome) => {
    const request: ModelRequest = { method: 'GET', path, caller: { session: server.root }, account }
    return expect(server, world, `at the end ${path.split('?')[0]}`, request, outcomeOf(request))
  }
  await read('/v1/account', getAccount)
  await read('/v1/account/balance', (request) => getBalance(world, request))
  await checkStatement(server, world, account)
  const all = { limit: 100, cursor: undefined, status: undefined, type: undefined }
  await read('/v1/account/users?limit=100', (request) => listAccountUsers(world, request, all))
  await read('/v1/api_keys?limit=100', (request) => listKeys(world, request, all))
  await read('/v1/webhook_endpoints?limit=100', (request) => listEndpoints(world, request, all))
  await read('/v1/subscriptions?limit=100', (request) => listSubscriptions(world, request, all))
  const own = <Row extends { account: Account }>(rows: Row[]) =>
    rows.filter((row) => row.account === account)
  await walk(own(world.transactions), (query, input) =>
    read(`/v1/transactions?${query}`, (request) =>
      listTransactions(world, request, { ...all, ...input }),
    ),
  )
  await walk(own(world.payments), (query, input) =>
    read(`/v1/payments?${query}`, (request) => listPayments(world, request, { ...all, ...input })),
  )
}

/** Reads page by page to the oldest row, and one page back. */
async function walk<Row extends Listed>(
  rows: Row[],
  readPage: (query: string, input: ListInput<Row>) => Promise<{ body: { data: { id: string }[] } }>,
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

/** Uses every credential that ever existed: it must work or be rejected, as in the model. */
async function readCredentials(server: Server, world: World): Promise<void> {
  const all = { limit: 100, cursor: undefined }
  for (const session of world.sessions) {
    const request: ModelRequest = {
      method: 'GET',
      path: '/v1/auth/sessions?limit=100',
      caller: { session },
    }
    await expect(server, world, 'a session at the end', request, listSessions(world, request, all))
  }
  for (const key of world.keys) {
    const request: ModelRequest = { method: 'GET', path: '/v1/account', caller: { key } }
    await expect(server, world, 'a key at the end', request, getAccount(request))
  }
}

/** Closes all accounts, so nothing falls due later. This also tests closing. */
export async function closeAll(server: Server, world: World): Promise<void> {
  const caller = { session: server.root }
  for (const account of world.accounts) {
    for (const one of world.subscriptions) {
      if (one.account !== account || one.status !== 'active') continue
      world.turn += 1
      const path = `/v1/subscriptions/${one.id.known}`
      const request: ModelRequest = { method: 'DELETE', path, caller, account }
      await expect(server, world, 'end', request, deleteSubscription(world, request, one))
    }
    world.turn += 1
    const request: ModelRequest = { method: 'DELETE', path: '/v1/account', caller, account }
    await expect(server, world, 'close at the end', request, closeAccount(world, request))
    await followEvents(server, world, account)
    await checkStatement(server, world, account)
  }
  for (const caller of world.sessions.map((session) => ({ session }))) {
    if (findActor(caller)?.account === undefined) continue
    throw new Error('a session of a closed account is still valid')
  }
}
