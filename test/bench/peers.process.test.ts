// `npm run bench -- peers` with tiny numbers: every peer is called, and every figure has a value.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { peers } from '../../bench/peers.bench.ts'
import { installPgledger } from '../../bench/pgledger.ts'
import { embedded } from '../../bench/targets.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-peers-'))
after(() => rmSync(folder, { recursive: true }))

// pgledger is not part of this repository. This has the functions and views that the bench uses.
const pgledger_file = join(folder, 'pgledger.sql')
writeFileSync(
  pgledger_file,
  `create table accounts (id text default gen_random_uuid()::text, balance numeric default 0);
  create view pgledger_accounts_view as select * from accounts;
  create table transfers (from_id text, to_id text, amount numeric, metadata jsonb);
  create view pgledger_transfers_view as select * from transfers;
  create function pgledger_create_account(name text, currency text)
  returns setof pgledger_accounts_view language sql as
  'insert into accounts default values returning *';
  create function pgledger_create_transfer(
    from_id text, to_id text, amount numeric,
    event_at timestamptz default null, metadata jsonb default null)
  returns setof pgledger_transfers_view language sql as '
    update accounts set balance = balance - $3 where id = $1;
    update accounts set balance = balance + $3 where id = $2;
    insert into transfers values ($1, $2, $3, $5) returning *';`,
)

test('measures Florin, the plain handler, pgledger and an echo in turns', async () => {
  const options = { rounds: 1, seconds: 0.3, quick: true }
  const figures = await peers(embedded, options, { accounts: 3, pgledger_file })
  const names = figures.map(({ name }) => name)
  assert.deepEqual(names, [
    'Florin, spread',
    'plain handler, spread',
    'pgledger, spread',
    'pgledger with 10 connections, spread',
    'Florin, hot',
    'plain handler, hot',
    'pgledger, hot',
    'pgledger with 10 connections, hot',
    'bare echo',
    'Florin, spread ÷ plain handler, spread',
    'Florin, hot ÷ plain handler, hot',
    'Florin, spread ÷ pgledger, spread',
    'Florin, hot ÷ pgledger, hot',
    'Florin, spread ÷ pgledger with 10 connections, spread',
    'Florin, hot ÷ pgledger with 10 connections, hot',
    'Florin, spread ÷ Florin, hot',
    'Florin, spread ÷ bare echo',
  ])
  for (const { name, value, spread } of figures) {
    assert.ok(value > 0 && Number.isFinite(value), `${name} is ${value}`)
    assert.deepEqual(spread, [value, value], name)
  }
})

test('names the setting if the SQL file of pgledger is missing', async () => {
  const missing = join(folder, 'none.sql')
  await assert.rejects(
    installPgledger({}, missing, 1),
    /^Error: FLORIN_BENCH_PGLEDGER must name pgledger\.sql; got ".*none\.sql", not a file\.$/,
  )
})
