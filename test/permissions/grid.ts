// The permission table as text: a row for each caller, a column for each object, a word for each
// outcome. Written by hand from the specification, and never from the table that the server reads.

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

const scope = 'Bearer error="insufficient_scope"'

/** The words of a grid that say no. `ok` is the one that says yes. */
const refusals: Record<string, [status: number, error: string, challenge: string | null]> = {
  dead: [401, 'unauthorized', 'Bearer'],
  scope: [401, 'unauthorized', scope],
  forb: [403, 'forbidden', null],
  // An owner about themselves: told what to do instead.
  close: [403, 'forbidden', null],
  none: [404, 'not_found', null],
  // It is the account in the header that is unknown, and nothing else was looked at.
  nohead: [404, 'not_found', null],
  nosess: [404, 'invalid_session', null],
  noacct: [404, 'account_not_found', null],
  confl: [409, 'conflict', null],
  nocan: [409, 'not_cancellable', null],
  nocred: [401, 'invalid_credentials', 'Bearer'],
  grant: [401, 'invalid_grant', 'Bearer'],
  bad: [400, 'invalid_request', null],
  // Allowed, but asked for beyond the end of the account's own events.
  beyond: [400, 'invalid_request', null],
}

export interface Request {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

export interface GridTest {
  endpoint: string
  grid: string
  /** The requests of a cell: several where the object `badid` stands for many. */
  requests(fixtures: Fixtures, object: string): Promise<Request[]>
  /** What a success must look like, beyond being one. */
  check(
    response: ApiResponse,
    cell: { fixtures: Fixtures; object: string; caller: string },
  ): unknown
  success_status?: number
  /** Tables where a refusal may leave its mark: SPEC §4 names the three. */
  except?: string[]
  /** Whom a success ends or changes for good: they are made anew for it. */
  destroys?(object: string): string[]
}

/** One test for each row. */
export function testGrid(florin: Florin, fixtures: Fixtures, given: GridTest): void {
  const grid_test = { ...given, forRefusal: onceForEach(fixtures, given) }
  for (const row of readGrid(grid_test.grid)) {
    test(`${grid_test.endpoint} answers ${row.name} as the table says`, async () => {
      await expectRefusals(florin, fixtures, grid_test, cellsOf(row, false))
      for (const cell of cellsOf(row, true)) await expectSuccess(florin, fixtures, grid_test, cell)
      recordCells(grid_test.endpoint, [...cellsOf(row, false), ...cellsOf(row, true)])
    })
  }
}

interface PreparedGridTest extends GridTest {
  forRefusal: (object: string) => Promise<Request[]>
}

// What is refused changes nothing, so the same object serves every caller who is refused it.
function onceForEach(fixtures: Fixtures, grid_test: GridTest): PreparedGridTest['forRefusal'] {
  const made = new Map<string, Request[]>()
  return async (object) => {
    const requests = made.get(object) ?? (await grid_test.requests(fixtures, object))
    made.set(object, requests)
    return requests
  }
}

interface Row {
  name: string
  callers: string[]
  cells: [object: string, outcome: string][]
}

export interface Cell {
  caller: string
  object: string
  outcome: string
}

/** Writes down that these held, for the test after the run that none is missing. */
export function recordCells(endpoint: string, cells: Cell[]): void {
  const folder = runFolder('cells')
  if (folder === undefined) return
  const lines = cells.map((cell) => `${JSON.stringify({ endpoint, ...cell })}\n`)
  appendFileSync(join(folder, `${process.pid}.jsonl`), lines.join(''))
}

/** `dead` stands for every caller without a good token, `dead_sent` for those who sent one. */
export function readGrid(text: string): Row[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [objects = [], ...rows] = lines.map((line) => line.trim().split(/\s+/))
  return rows.map(([name = '', ...outcomes]) => {
    const all = outcomes.length === 1 ? objects.map(() => outcomes[0]!) : outcomes
    assert.equal(all.length, objects.length, `${name} has as many cells as there are columns`)
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

function cellsOf(row: Row, allowed: boolean): Cell[] {
  const cells = row.cells.filter(([, outcome]) => (outcome === 'ok') === allowed)
  return row.callers.flatMap((caller) =>
    cells.map(([object, outcome]) => ({ caller, object, outcome })),
  )
}

async function expectRefusals(
  florin: Florin,
  fixtures: Fixtures,
  grid_test: PreparedGridTest,
  cells: Cell[],
) {
  // First of all, because making a caller or an object changes the database.
  const prepared: Prepared[] = []
  for (const cell of cells) prepared.push(...(await prepare(fixtures, grid_test, cell)))
  const told = new Map<string, string>()
  const marks = { except: grid_test.except ?? [] }
  const before = await hashDatabase(florin.db.pool, marks)
  for (const { cell, request } of prepared) {
    const response = await send(florin, fixtures, cell.caller, request)
    const where = `${cell.caller} on ${cell.object} (${request.path}): ${response.text}`
    assertRefusal(response, refusals[cell.outcome]!, where)
    // Foreign, deleted, unknown and malformed must look alike to the last byte.
    const seen = withoutRequestId(response)
    if (cell.outcome === 'beyond') continue
    // But a bearer who sent what has the form of a key is told of a key, whatever is wrong with it.
    const alike = cell.caller.endsWith('_key') ? `${cell.outcome} key` : cell.outcome
    assert.equal(seen, told.get(alike) ?? seen, where)
    told.set(alike, seen)
  }
  // A hash costs as much as a few requests: it is taken around all of them, and around each only
  // when one of them has to be named.
  if (isDeepStrictEqual(await hashDatabase(florin.db.pool, marks), before)) {
    countRefusals(prepared.length)
    return
  }
  await nameCulprit(florin, fixtures, prepared)
}

async function nameCulprit(florin: Florin, fixtures: Fixtures, sent: Prepared[]): Promise<never> {
  for (const { cell, request } of sent) {
    const before = await hashDatabase(florin.db.pool)
    await send(florin, fixtures, cell.caller, request)
    const after = await hashDatabase(florin.db.pool)
    assert.deepEqual(after, before, `${cell.caller} on ${cell.object} changed the database`)
  }
  assert.fail('a refusal changed the database, and did not when it was sent again')
}

interface Prepared {
  cell: Cell
  request: Request
}

async function prepare(
  fixtures: Fixtures,
  grid_test: PreparedGridTest,
  cell: Cell,
): Promise<Prepared[]> {
  await fixtures.authorization(cell.caller)
  const requests = await grid_test.forRefusal(cell.object)
  // Without a good token no object is looked at: one of each kind will do.
  const sent = cell.outcome === 'dead' ? requests.slice(0, 1) : requests
  return sent.map((request) => ({ cell, request }))
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
