// The parts of pg that src/postgres/driver/ uses and that pg does not document.

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isPoolFull, keepLoopAlive, limited, processOf } from '../../src/postgres/driver/client.ts'
import { disconnect, flush, runStatement } from '../../src/postgres/driver/flush.ts'
import { isDatabaseFailure, sqlState } from '../../src/postgres/failure.ts'
import { Sql } from '../../src/postgres/sql.ts'
import { cloneDatabase, stopOwnServer } from '../support/postgres.ts'
import { contractOf } from '../support/relies-on.ts'

const { connection } = await cloneDatabase()
after(stopOwnServer)
const relies = contractOf('pg')

async function open(t: TestContext, config: pg.ClientConfig = {}): Promise<pg.PoolClient> {
  const client = new pg.Client({ ...connection, pipeline: true, ...config })
  client.on('error', () => {})
  await client.connect()
  t.after(() => client.end().catch(() => {}))
  return client as pg.PoolClient
}

type Call = [method: string, message?: unknown]

/** Sends one statement by hand and records what pg calls. */
class RecordedQuery extends pg.Query {
  readonly calls: Call[] = []
  readonly ended: Promise<void>
  callback: (error?: unknown) => void
  readonly #text: string

  constructor(text: string) {
    super('')
    this.#text = text
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.callback = () => resolve()
  }

  override submit = (to: pg.Connection): void => {
    to.close({ type: 'S', name: 'unknown' }, true)
    to.parse({ name: '', text: this.#text, types: [] }, true)
    to.bind({ statement: '', values: ['4'], valueMapper: (value) => `${value}2` }, true)
    to.describe({ type: 'P', name: '' }, true)
    to.execute({}, true)
    to.sync()
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({ name, dataTypeID }))
    this.calls.push(['handleRowDescription', columns])
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.calls.push(['handleDataRow', fields])
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.calls.push(['handleCommandComplete', text])
  }

  handleReadyForQuery(): void {
    this.calls.push(['handleReadyForQuery'])
    this.callback()
  }

  handleError(error: unknown): void {
    this.calls.push(['handleError', sqlState(error) ?? (error as Error).message])
    this.callback(error)
  }
}

async function record(client: pg.Client, query: RecordedQuery): Promise<Call[]> {
  client.query(query)
  await Promise.race([query.ended, sleep(5_000)])
  return query.calls
}

test('a subclass of pg.Query sends its own packet and receives each message', async (t) => {
  const client = await open(t)
  const found = await record(client, new RecordedQuery('select $1::int as n, null as nothing'))
  const columns = [
    { name: 'n', dataTypeID: pg.types.builtins.INT4 },
    { name: 'nothing', dataTypeID: pg.types.builtins.TEXT },
  ]
  const expected = [
    ['handleRowDescription', columns],
    ['handleDataRow', ['42', null]],
    ['handleCommandComplete', 'SELECT 1'],
    ['handleReadyForQuery'],
  ]
  relies(found, expected, 'pg.Query: submit(), valueMapper and the handle… methods')
  const failed = await record(client, new RecordedQuery('select 1 / ($1::int - 42)'))
  relies(failed.at(-1), ['handleError', '22012'], 'pg.Query: handleError()')
})

test('a subclass of pg.Query can be one of several in flight', async (t) => {
  const client = await open(t)
  const text = 'select $1::int as n'
  const queries = [new RecordedQuery(text), new RecordedQuery(text)]
  const found = await Promise.all(queries.map((query) => record(client, query)))
  const counts = found.map((calls) => calls.length)
  relies(counts, [4, 4], 'the option pipeline')
})

test('a query that takes too long fails, and its connection is closed', async (t) => {
  const client = await open(t, { query_timeout: 100 })
  const [call] = await record(client, new RecordedQuery('select pg_sleep($1::int)'))
  relies(call, ['handleError', 'Query read timeout'], 'the option query_timeout')
  await assert.rejects(client.query('select 1'), isDatabaseFailure)
  const other = await open(t)
  await assert.rejects(
    other.query(limited({ text: 'select pg_sleep(60)' }, 100)),
    { message: 'Query read timeout' },
    'Florin relies on query_timeout of a single query',
  )
})

test('errors of a lost connection are recognized', async (t) => {
  const client = await open(t)
  const running = client.query('select pg_sleep(60)')
  disconnect(client)
  await assert.rejects(running, (error) => {
    relies(isDatabaseFailure(error), true, `the error of a lost connection (${error})`)
    return true
  })
  await assert.rejects(client.query('select 1'), (error) => {
    relies(isDatabaseFailure(error), true, `the error of a closed client (${error})`)
    return true
  })
})

test('a client has the id of its process, and may let this process end', async (t) => {
  const client = await open(t)
  const { rows } = await client.query('select pg_backend_pid() as pid')
  relies(processOf(client), rows[0].pid, 'client.processID')
  const socket = client.connection.stream as { _handle?: { hasRef(): boolean } }
  keepLoopAlive(client, false)
  relies(socket._handle?.hasRef(), false, 'client.unref()')
  keepLoopAlive(client, true)
  relies(socket._handle?.hasRef(), true, 'client.ref()')
})

test('a pool waits for onConnect, and reports that it is full', async () => {
  let is_prepared = false
  const onConnect = async () => {
    await sleep(50)
    is_prepared = true
  }
  const pool = new pg.Pool({ ...connection, max: 1, connectionTimeoutMillis: 500, onConnect })
  const client = await pool.connect()
  relies(is_prepared, true, 'the pool option onConnect, which is awaited')
  const error = await pool.connect().catch((error) => error)
  relies(isPoolFull(error), true, `the error of a full pool (${error})`)
  client.release()
  await pool.end()
})

// An error may skip the preparation of a statement or come after it. Either way, the next packet
// works.
test('a named statement can be used again after any failure', async (t) => {
  const client = await open(t)
  const fails = new Sql('select 1 / $1::int as n', [0], 'divides')
  const skipped = new Sql('select $1::int as n', [7], 'reads')
  for (let round = 0; round < 3; round++) {
    const results = [fails, skipped].map((statement) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      return { promise, pending: { statement, resolve, reject } }
    })
    flush(
      client,
      results.map(({ pending }) => pending),
    )
    for (const { promise } of results) await assert.rejects(promise, { code: '22012' })
  }
  const works = new Sql(fails.text, [1], 'divides')
  assert.deepEqual((await runStatement(client, works)).rows, [{ n: 1 }])
  assert.deepEqual((await runStatement(client, skipped)).rows, [{ n: 7 }])
})
