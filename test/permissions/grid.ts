// A permission table as text: a row per caller, a column per object, a code per outcome. Written by
// hand from the specification, never derived from the server's own table.

import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { ApiResponse } from '../support/call.ts'
import type { Florin } from '../support/florin.ts'
import { countRefusals, hashDatabase } from '../support/hash-database.ts'
import { runFolder } from '../support/secrets.ts'
import { type Fixtures, invalidCallers } from './fixtures.ts'

const is_long = Boolean(process.env.FLORIN_LONG)
const scope = 'Bearer error="insufficient_scope"'

/** The outcome codes of rejected requests. `ok` is the code for success. */
const refusals: Record<string, [status: number, error: string, challenge: string | null]> = {
  dead: [401, 'unauthorized', 'Bearer'],
  scope: [401, 'unauthorized', scope],
  forb: [403, 'forbidden', null],
  // An owner who deletes themselves: the message explains that they must close the account.
  close: [403, 'forbidden', null],
  none: [404, 'not_found', null],
  // The account in the header is unknown, so nothing else was checked.
  nohead: [404, 'not_found', null],
  nosess: [404, 'invalid_session', null],
  noacct: [404, 'account_not_found', null],
  confl: [409, 'conflict', null],
  nocan: [409, 'not_cancellable', null],
  nocred: [401, 'invalid_credentials', 'Bearer'],
  grant: [401, 'invalid_grant', 'Bearer'],
  bad: [400, 'invalid_request', null],
  // Permitted, but the requested sequence is beyond the account's last event.
  beyond: [400, 'invalid_request', null],
}

export interface Request {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

interface GridTest {
  endpoint: string
  grid: string
  /** Returns the requests of a cell. `badid` stands for several. */
  requests(fixtures: Fixtures, object: string): Promise<Request[]>
  /** Checks the response of a successful request, beyond its status. */
  check(
    response: ApiResponse,
    cell: { fixtures: Fixtures; object: string; caller: string },
  ): unknown
  success_status?: number
  /** Tables in which a rejected request may leave rows, such as throttle counters. */
  except?: string[]
  /** The fixtures that a successful request ends or changes permanently. They are recreated. */
  destroys?(object: string): string[]
}

/** Defines one test per row. */
export function testGrid(florin: Florin, fixtures: Fixtures, options: GridTest): void {
  const forRefusal = onceForEach(fixtures, options)
  // One object also serves all callers that may read it.
  const requests = options.endpoint.startsWith('GET ')
    ? (_: Fixtures, object: string) => forRefusal(object)
    : options.requests
  const grid_test: PreparedGridTest = { ...options, requests, forRefusal, badid_callers: [] }
  for (const row of readGrid(grid_test.grid)) {
    test(`${grid_test.endpoint} returns the expected response to ${row.name}`, async () => {
      await expectRefusals(florin, fixtures, grid_test, cellsOf(row, false))
      for (const cell of cellsOf(row, true)) await expectSuccess(florin, fixtures, grid_test, cell)
      recordCells(grid_test.endpoint, [...cellsOf(row, false), ...cellsOf(row, true)])
    })
  }
}

interface PreparedGridTest extends GridTest {
  forRefusal: (object: string) => Promise<Request[]>
  /** The callers that have requested malformed ids. */
  badid_callers: string[]
}

// A rejected request changes nothing, so one object serves all callers that it is denied to.
function onceForEach(fixtures: Fixtures, grid_test: GridTest): PreparedGridTest['forRefusal'] {
  const created = new Map<string, Request[]>()
  return async (object) => {
    const requests = created.get(object) ?? (await grid_test.requests(fixtures, object))
    created.set(object, requests)
    return requests
  }
}

interface GridRow {
  name: string
  callers: string[]
  cells: [object: string, outcome: string][]
}

export interface Cell {
  caller: string
  object: string
  outcome: string
}

/** Records the tested cells. A test after the run checks that none is missing. */
export function recordCells(endpoint: string, cells: Cell[]): void {
  const folder = runFolder('cells')
  if (folder === undefined) return
  const lines = cells.map((cell) => `${JSON.stringify({ endpoint, ...cell })}\n`)
  appendFileSync(join(folder, `${process.pid}.jsonl`), lines.join(''))
}

/** `dead` stands for every caller without a valid token, `dead_sent` for those that sent one. */
function readGrid(text: string): GridRow[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [objects = [], ...rows] = lines.map((line) => line.trim().split(/\s+/))
  return rows.map(([name = '', ...outcomes]) => {
    const all = outcomes.length === 1 ? objects.map(() => outcomes[0]!) : outcomes
    assert.equal(all.length, objects.length, `${name} must have as many cells as there are columns`)
    for (const outcome of all) assert.ok(outcome === 'ok' || outcome in refusals, outcome)
    return {
      name,
      callers: callersOf(name),
      cells: objects.map((object, at) => [object, all[at]!]),
    }
  })
}

function callersOf(name: string): string[] {
  const dead = Object.keys(invalidCallers)
  if (name === 'dead') return dead
  if (name === 'dead_sent') return dead.filter((caller) => caller !== 'no_token')
  return [name]
}

function cellsOf(row: GridRow, allowed: boolean): Cell[] {
  const cells = row.cells.filter(([, outcome]) => (outcome === 'ok') === allowed)
  return row.callers.flatMap((caller, at) =>
    cells
      .filter((_, column) => is_long || isShareOf(at, row.callers.length, column, cells.length))
      .map(([object, outcome]) => ({ caller, object, outcome })),
  )
}

// Without a valid token no object is looked up. So the invalid callers of a row share its objects:
// each requests at least one, and each object is requested. With FLORIN_LONG each requests all.
function isShareOf(at: number, callers: number, column: number, columns: number): boolean {
  return column === at % columns || column % callers === at
}

async function expectRefusals(
  florin: Florin,
  fixtures: Fixtures,
  grid_test: PreparedGridTest,
  cells: Cell[],
) {
  // Prepare everything first, because creating a caller or an object changes the database.
  const prepared: PreparedRequest[] = []
  for (const cell of cells) prepared.push(...(await prepare(fixtures, grid_test, cell)))
  const first_responses = new Map<string, string>()
  const hash_options = { except: grid_test.except ?? [] }
  const before = await hashDatabase(florin.db.pool, hash_options)
  for (const { cell, request } of prepared) {
    const response = await send(florin, fixtures, cell.caller, request)
    const where = `${cell.caller} on ${cell.object} (${request.path}): ${response.text}`
    assertRefusal(response, refusals[cell.outcome]!, where)
    // Responses for foreign, deleted, unknown and malformed ids must be identical.
    const seen = withoutRequestId(response)
    if (cell.outcome === 'beyond') continue
    // Only a token in the form of an API key gets a response about keys.
    const group = cell.caller.endsWith('_key') ? `${cell.outcome} key` : cell.outcome
    assert.equal(seen, first_responses.get(group) ?? seen, where)
    first_responses.set(group, seen)
  }
  // A hash takes as long as a few requests, so one covers all of them. Only if it differs are the
  // requests hashed one by one to find the culprit.
  if (isDeepStrictEqual(await hashDatabase(florin.db.pool, hash_options), before)) {
    countRefusals(prepared.length)
    return
  }
  await reportCulprit(florin, fixtures, prepared)
}

async function reportCulprit(
  florin: Florin,
  fixtures: Fixtures,
  sent: PreparedRequest[],
): Promise<never> {
  for (const { cell, request } of sent) {
    const before = await hashDatabase(florin.db.pool)
    await send(florin, fixtures, cell.caller, request)
    const after = await hashDatabase(florin.db.pool)
    assert.deepEqual(after, before, `${cell.caller} on ${cell.object} changed the database`)
  }
  assert.fail('a rejected request changed the database, but not when it was sent again')
}

interface PreparedRequest {
  cell: Cell
  request: Request
}

async function prepare(
  fixtures: Fixtures,
  grid_test: PreparedGridTest,
  cell: Cell,
): Promise<PreparedRequest[]> {
  await fixtures.authorization(cell.caller)
  const requests = await grid_test.forRefusal(cell.object)
  return chooseRequests(grid_test, cell, requests).map((request) => ({ cell, request }))
}

function chooseRequests(
  { badid_callers }: PreparedGridTest,
  { caller, object, outcome }: Cell,
  requests: Request[],
): Request[] {
  // Without a valid token no object is looked up, so one request is enough.
  if (outcome === 'dead') return requests.slice(0, 1)
  if (object !== 'badid' || is_long) return requests
  // The first caller sends all malformed ids, and each later one the next of them.
  badid_callers.push(caller)
  const turn = badid_callers.length - 1
  return turn === 0 ? requests : [requests[turn % requests.length]!]
}

async function expectSuccess(florin: Florin, shared: Fixtures, grid_test: GridTest, cell: Cell) {
  const { caller, object } = cell
  const fixtures = grid_test.destroys ? shared.without(grid_test.destroys(object)) : shared
  for (const request of await grid_test.requests(fixtures, object)) {
    const response = await send(florin, fixtures, caller, request)
    const where = `${caller} on ${object}: ${response.status} ${response.text}`
    assert.equal(response.status, grid_test.success_status ?? 200, where)
    assert.equal(response.headers.get('www-authenticate'), null, where)
    await grid_test.check(response, { fixtures, object, caller })
  }
}

async function send(florin: Florin, fixtures: Fixtures, caller: string, request: Request) {
  const authorization = await fixtures.authorization(caller)
  const { method, path, body, headers } = request
  return florin.call(method, path, {
    body,
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
  })
}

function assertRefusal(
  response: ApiResponse,
  expected: (typeof refusals)[string],
  where: string,
): void {
  const [status, error, challenge] = expected
  assert.equal(response.status, status, where)
  assert.deepEqual(Object.keys(response.body), ['error', 'message'], where)
  assert.equal(response.body.error, error, where)
  assert.match(response.body.message, /^\S.*\.$/, where)
  assert.equal(response.headers.get('www-authenticate'), challenge, where)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8', where)
  assert.match(response.headers.get('request-id') ?? '', /^req_[0-9a-z]{26}$/, where)
}

export function withoutRequestId(response: ApiResponse): string {
  const headers = [...response.headers].filter(([name]) => name !== 'request-id' && name !== 'date')
  return JSON.stringify([response.status, headers, response.text])
}
