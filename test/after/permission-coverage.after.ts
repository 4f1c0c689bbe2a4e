// Runs last: of every endpoint there is, every caller on every kind of object was asked in this
// run, and answered as some grid says. What is added without a grid is named here.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { invalidCallers } from '../permissions/fixtures.ts'
import { pages } from '../permissions/page-cells.ts'
import { run_path } from '../support/secrets.ts'

// A database of one's own is asked by some of the tests only, and grids are not among them.
const whole = run_path !== undefined && process.env.FLORIN_TEST_DATABASE_URL === undefined
const options = { skip: !whole && 'there is nothing to look at: use npm test' }

const description = JSON.parse(
  readFileSync(
    fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url)),
    'utf8',
  ),
)

const live = ['member', 'owner', 'owner2', 'lone', 'platform', 'admin']
const keys = ['key:*', 'key2:*', 'platform_key:*']
const callers = [...Object.keys(invalidCallers), ...live, ...keys]

// What a column is called differs, because what an object can be differs.
const objects: Record<string, string[]> = {
  own: ['own', 'member'],
  foreign: ['other', 'elsewhere', 'member2'],
  // Money is never deleted: a transaction, a request or a subscription ends.
  deleted: ['deleted', 'closed', 'ended', 'revoked'],
  unknown: ['unknown'],
  malformed: ['badid'],
}

const ofPath = Object.keys(objects)
const ofHeader = ['own', 'foreign', 'deleted', 'unknown', 'malformed']

// What has another kind of object than an id in its path or an account in its header.
const special: Record<string, { callers?: string[]; columns: string[] }> = {
  'DELETE /v1/auth/session': {
    columns: ['current', 'own_current', 'another', 'ended', 'others', 'unknown', 'badid'],
  },
  'GET /v1/search': {
    columns: ['txn', 'pay', 'sub', 'acct', 'member', 'evt', 'we', 'wd', 'key', 'unknown', 'text'],
  },
  // It asks for no token, and a hash for each of all the dead ones would say no more.
  'POST /v1/auth/login': {
    callers: ['no_token', 'bad_token', 'owner', ...keys],
    columns: ['right', 'wrong', 'stranger', 'deleted', 'suspended'],
  },
  'POST /v1/auth/refresh': { columns: ['live', 'ended', 'expired', 'access', 'unknown', 'badid'] },
  'GET /v1/accounts': { columns: [] },
  'POST /v1/accounts': { columns: ['new'] },
  'GET /v1/users': { columns: [] },
  'GET /v1/auth/sessions': { columns: [] },
  'GET /v1/health': { columns: [] },
  'POST /v1/sandbox/clock/advance': { columns: [] },
  'GET /metrics': { columns: ['from_elsewhere', 'from_here'] },
  // They tell nobody anything, and ask nobody who they are.
  'GET /livez': { callers: [], columns: [] },
  'GET /readyz': { callers: [], columns: [] },
}

interface Operation {
  name: string
  callers: string[]
  /** Each is any of these columns. */
  columns: string[][]
}

function operationsOf(): Operation[] {
  const found: Operation[] = []
  for (const [path, methods] of Object.entries<Record<string, Described>>(description.paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      const { columns, callers: some = callers } = special[name] ?? { columns: undefined }
      const wanted = columns?.map((column) => [column]) ?? columnsOf(path, method, described)
      found.push({ name: plain(name), callers: some, columns: wanted })
    }
  }
  for (const [name, columns] of Object.entries(pages)) {
    found.push({ name, callers, columns: columns.map((column) => [column]) })
  }
  return found
}

interface Described {
  parameters?: { $ref?: string }[]
}

function columnsOf(path: string, method: string, { parameters = [] }: Described): string[][] {
  const by_header = parameters.some(({ $ref }) => $ref?.endsWith('/FlorinAccount'))
  const by_path = path.includes('{')
  assert.ok(by_path || by_header, `${method} ${path} has another kind of object: name it above`)
  const columns = (by_path ? ofPath : ofHeader).map((kind) => objects[kind]!)
  // Under another account's header the own object is not there; without one it is the own account.
  if (by_path && by_header) columns.push(['elsewhere'])
  if (!by_path && method === 'get') columns.push(['nothing'])
  return columns
}

/** Whatever its parameters are called. */
function plain(endpoint: string): string {
  const [, method, path] = /^([A-Z]+) (\S+)/.exec(endpoint)!
  return `${method} ${path!.replaceAll(/\{\w*\}/g, '{}')}`
}

/** `GET /v1/users owner deleted` for every cell that held. */
function readCells(): Set<string> {
  const folder = join(run_path!, 'cells')
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean),
  )
  return new Set(
    lines.map((line) => {
      const { endpoint, caller, object } = JSON.parse(line)
      return `${plain(endpoint)} ${caller} ${object}`
    }),
  )
}

test('every caller was tried on every kind of object at every endpoint', options, (t) => {
  const cells = readCells()
  const seen = new Set([...cells].map((cell) => cell.slice(0, cell.lastIndexOf(' '))))
  const missing: string[] = []
  for (const { name, callers: some, columns } of operationsOf()) {
    for (const caller of some) {
      const tried = (column: string) => cells.has(`${name} ${caller} ${column}`)
      const lacking = columns.filter((names) => !names.some(tried)).map((names) => names.join('|'))
      if (lacking.length > 0) missing.push(`${name} by ${caller} on ${lacking.join(', ')}`)
      if (columns.length === 0 && !seen.has(`${name} ${caller}`)) {
        missing.push(`${name} by ${caller}`)
      }
    }
  }
  t.diagnostic(`${cells.size} cells`)
  assert.deepEqual(missing, [])
})

test('enough refusals were held to changing nothing', options, (t) => {
  const folder = join(run_path!, 'refusals')
  const counts = readdirSync(folder).map((name) => Number(readFileSync(join(folder, name), 'utf8')))
  const refusals = counts.reduce((sum, count) => sum + count, 0)
  t.diagnostic(`${refusals} refusals between two hashes of the database`)
  assert.ok(refusals >= 2_000, `only ${refusals} were`)
})
