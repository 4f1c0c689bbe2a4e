// Runs last: checks that this run tested every endpoint with every caller on every kind of object.
// An endpoint added without a permission grid is reported here.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { invalidCallers } from '../permissions/fixtures.ts'
import { pages } from '../permissions/page-cells.ts'
import { evidence_path } from '../support/secrets.ts'

const options = {
  skip: evidence_path === undefined && 'needs a complete run: use npm test -- --evidence',
}

const description = JSON.parse(
  readFileSync(
    fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url)),
    'utf8',
  ),
)

const live = ['member', 'viewer', 'owner', 'owner2', 'lone', 'platform', 'admin']
const keys = ['key:*', 'key2:*', 'platform_key:*']
const callers = [...Object.keys(invalidCallers), ...live, ...keys]

// Column names differ, because objects differ.
const objects: Record<string, string[]> = {
  own: ['own', 'member'],
  foreign: ['other', 'elsewhere', 'member2'],
  // Transactions, requests and subscriptions are never deleted; they end.
  deleted: ['deleted', 'closed', 'ended', 'revoked'],
  unknown: ['unknown'],
  malformed: ['badid'],
}

const ofPath = Object.keys(objects)
const ofHeader = ['own', 'foreign', 'deleted', 'unknown', 'malformed']

// Endpoints whose object is neither an id in the path nor an account in the header.
const special: Record<string, { callers?: string[]; columns: string[] }> = {
  'DELETE /v1/auth/session': {
    columns: ['current', 'own_current', 'another', 'ended', 'others', 'unknown', 'badid'],
  },
  'GET /v1/search': {
    columns: ['txn', 'pay', 'sub', 'acct', 'member', 'evt', 'we', 'wd', 'key', 'unknown', 'text'],
  },
  // It requires no token, and hashing a password for each dead token would test nothing new.
  'POST /v1/auth/login': {
    callers: ['no_token', 'bad_token', 'owner', ...keys],
    columns: ['right', 'wrong', 'stranger', 'deleted', 'suspended'],
  },
  'POST /v1/auth/passkeys/options': {
    callers: ['no_token', 'bad_token', 'owner', ...keys],
    columns: ['any'],
  },
  'POST /v1/auth/passkeys/verify': {
    callers: ['no_token', 'bad_token', 'owner', ...keys],
    columns: ['any'],
  },
  'GET /v1/user/factors': { columns: ['own'] },
  'POST /v1/user/factors/totp': { columns: ['own'] },
  'POST /v1/user/factors/totp/confirm': { columns: ['own'] },
  'POST /v1/user/factors/passkeys': { columns: ['own'] },
  'POST /v1/user/factors/passkeys/options': { columns: ['own'] },
  'POST /v1/user/recovery_codes': { columns: ['own'] },
  'DELETE /v1/user/factors/{factor_id}': { columns: ['own', 'others', 'unknown', 'badid'] },
  'POST /v1/auth/password_reset': { columns: ['known', 'stranger', 'suspended', 'malformed'] },
  'POST /v1/auth/refresh': { columns: ['live', 'ended', 'expired', 'access', 'unknown', 'badid'] },
  'GET /v1/accounts': { columns: [] },
  'POST /v1/accounts': { columns: ['new'] },
  'GET /v1/users': { columns: [] },
  'GET /v1/user_details': { columns: [] },
  'GET /v1/auth/sessions': { columns: [] },
  'GET /v1/user/identities': { columns: [] },
  'GET /v1/user/notifications': { columns: [] },
  'PATCH /v1/user/notifications': { columns: [] },
  'GET /v1/overview': { columns: [] },
  'GET /v1/health': { columns: [] },
  'GET /v1/processor': { columns: [] },
  'POST /v1/sandbox/clock/advance': { columns: [] },
  // Documents and transfers are never deleted and do not end.
  'GET /v1/documents/{document_id}': {
    columns: ['own', 'other', 'elsewhere', 'unknown', 'badid'],
  },
  'GET /v1/payments/{payment_id}/receipt': {
    columns: ['own', 'other', 'elsewhere', 'unknown', 'badid'],
  },
  'GET /v1/transactions/{transaction_id}/credit_note': {
    columns: ['own', 'other', 'elsewhere', 'unknown', 'badid'],
  },
  'GET /v1/transfers/{transfer_id}': {
    columns: ['sent', 'other', 'elsewhere', 'unknown', 'badid'],
  },
  // Of all accounts, for operators only.
  'GET /v1/payout_exports': { columns: [] },
  'POST /v1/payout_exports': { columns: [] },
  'GET /v1/payout_exports/{export_id}': { columns: ['all', 'unknown', 'badid'] },
  'GET /v1/payout_exports/{export_id}/file': { columns: ['all', 'unknown', 'badid'] },
  'POST /v1/bank_statements': { columns: [] },
  'GET /v1/bank_statements': { columns: [] },
  'GET /v1/bank_statements/{statement_id}': { columns: ['known', 'unknown', 'badid'] },
  'GET /v1/bank_entries': { columns: [] },
  'GET /v1/bank_entries/{entry_id}': { columns: ['known', 'unknown', 'badid'] },
  'POST /v1/bank_entries/{entry_id}/match': { columns: ['known', 'unknown', 'badid'] },
  'POST /v1/bank_entries/{entry_id}/ignore': { columns: ['known', 'unknown', 'badid'] },
  'POST /v1/bank_entries/{entry_id}/reopen': { columns: ['known', 'unknown', 'badid'] },
  'GET /v1/bank_column_maps': { columns: [] },
  'POST /v1/bank_column_maps': { columns: [] },
  'DELETE /v1/bank_column_maps/{name}': { columns: [] },
  'GET /v1/settlements': { columns: [] },
  'GET /v1/settlements/{settlement_id}': { columns: ['known', 'unknown', 'badid'] },
  'GET /v1/settlements/{settlement_id}/entries': { columns: ['known', 'unknown', 'badid'] },
  'GET /v1/reconciliation': { columns: [] },
  'GET /metrics': { columns: ['from_elsewhere', 'from_here'] },
  // These return no data and do not authenticate.
  'GET /livez': { callers: [], columns: [] },
  'GET /readyz': { callers: [], columns: [] },
}

interface Operation {
  name: string
  callers: string[]
  /** For each kind of object, the column names that count for it. */
  columns: string[][]
}

function operationsOf(): Operation[] {
  const found: Operation[] = []
  for (const [path, methods] of Object.entries<Record<string, OperationObject>>(
    description.paths,
  )) {
    for (const [method, described] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`
      const { columns, callers: tested = callers } = special[name] ?? { columns: undefined }
      const required = columns?.map((column) => [column]) ?? columnsOf(path, method, described)
      found.push({ name: plain(name), callers: tested, columns: required })
    }
  }
  for (const [name, columns] of Object.entries(pages)) {
    found.push({ name, callers, columns: columns.map((column) => [column]) })
  }
  return found
}

interface OperationObject {
  parameters?: { $ref?: string }[]
}

function columnsOf(path: string, method: string, { parameters = [] }: OperationObject): string[][] {
  const by_header = parameters.some(({ $ref }) => $ref?.endsWith('/FlorinAccount'))
  const by_path = path.includes('{')
  assert.ok(
    by_path || by_header,
    `${method} ${path} has another kind of object: add it to "special"`,
  )
  const columns = (by_path ? ofPath : ofHeader).map((kind) => objects[kind]!)
  // With another account's header the caller's own object is not found. Without one, a GET is about
  // the caller's own account.
  if (by_path && by_header) columns.push(['elsewhere'])
  if (!by_path && method === 'get') columns.push(['nothing'])
  return columns
}

/** Removes the names of path parameters. */
function plain(endpoint: string): string {
  const [, method, path] = /^([A-Z]+) (\S+)/.exec(endpoint)!
  return `${method} ${path!.replaceAll(/\{\w*\}/g, '{}')}`
}

/** Reads the tested cells, such as `GET /v1/users owner deleted`. */
function readCells(): Set<string> {
  const folder = join(evidence_path!, 'cells')
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

const isInvalid = (caller: string) => caller in invalidCallers
const isValid = (caller: string) => !isInvalid(caller)

// Invalid callers share the kinds of objects: see cellsOf in grid.ts.
test('every endpoint was tested with every caller on every kind of object', options, (t) => {
  const cells = readCells()
  const seen = new Set([...cells].map((cell) => cell.slice(0, cell.lastIndexOf(' '))))
  const missing: string[] = []
  for (const { name, callers: some, columns } of operationsOf()) {
    for (const by of [...some.filter(isValid).map((caller) => [caller]), some.filter(isInvalid)]) {
      const isTested = (column: string) => by.some((one) => cells.has(`${name} ${one} ${column}`))
      const untested = columns.filter((names) => by.length > 0 && !names.some(isTested))
      const lacking = untested.map((names) => names.join('|'))
      if (lacking.length > 0) missing.push(`${name} by ${by.join('|')} on ${lacking.join(', ')}`)
    }
    for (const caller of some) {
      if (!seen.has(`${name} ${caller}`)) missing.push(`${name} by ${caller}`)
    }
  }
  t.diagnostic(`${cells.size} cells`)
  assert.deepEqual(missing, [])
})

test('enough rejected requests were checked for changes', options, (t) => {
  const folder = join(evidence_path!, 'refusals')
  const counts = readdirSync(folder).map((name) => Number(readFileSync(join(folder, name), 'utf8')))
  const refusals = counts.reduce((sum, count) => sum + count, 0)
  t.diagnostic(`${refusals} rejected requests compared by database hash`)
  assert.ok(refusals >= 2_000, `only ${refusals} were checked`)
})
