// The walls of the house. Each rule says in its message why it is there; when one is in the way,
// change the shape first and the rule only with a page in docs/decisions/.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findCycle, importsOf, sourceFiles } from './support/source-tree.ts'

// From the edge to the ground: a room imports only rooms that stand after it.
const rooms = [
  'entries',
  'commands',
  'http',
  'mcp',
  'handbook',
  'pages',
  'dashboard',
  'verification',
  'seeding',
  'closing',
  'clock',
  'reports',
  'subscriptions',
  'payments',
  'transactions',
  'accounts',
  'login',
  'users',
  'api-keys',
  'sessions',
  'idempotency',
  'webhooks',
  'ledger',
  'events',
  'audit',
  'request-log',
  'processors',
  'email',
  'jobs',
  'postgres',
  'config',
  'primitives',
]

// A table belongs to one room, and only that room's queries.ts names it.
const tableHomes: Record<string, string> = {
  users: 'users',
  email_claims: 'users',
  setup_links: 'users',
  accounts: 'accounts',
  email_changes: 'accounts',
  sessions: 'sessions',
  tokens: 'sessions',
  ended_sessions: 'sessions',
  revoked_grantors: 'sessions',
  api_keys: 'api-keys',
  dashboard_sessions: 'dashboard',
  login_failures: 'login',
  login_addresses: 'login',
  balances: 'ledger',
  account_closings: 'ledger',
  postings: 'ledger',
  transactions: 'transactions',
  transactions_pending: 'transactions',
  transactions_succeeded: 'transactions',
  transactions_failed: 'transactions',
  transactions_canceled: 'transactions',
  refund_totals: 'transactions',
  payment_requests: 'payments',
  payment_requests_pending: 'payments',
  payment_requests_succeeded: 'payments',
  payment_requests_failed: 'payments',
  payment_requests_canceled: 'payments',
  payment_attempts: 'payments',
  payment_links: 'payments',
  subscriptions: 'subscriptions',
  subscription_periods: 'subscriptions',
  idempotency_keys: 'idempotency',
  clock: 'postgres',
  events: 'events',
  audit_log: 'audit',
  request_logs: 'request-log',
  emails: 'email',
  email_delivery: 'email',
  inbox_counts: 'email',
  webhook_endpoints: 'webhooks',
  webhook_deliveries: 'webhooks',
  webhook_attempts: 'webhooks',
  leases: 'jobs',
  list_counts: 'postgres',
  instance: 'postgres',
  schema_migrations: 'postgres',
}

const files = sourceFiles('src')

function roomOf(path: string): string {
  const parts = path.split('/')
  if (parts.length > 2) return parts[1]!
  return path === 'src/config.ts' || path === 'src/version.ts' ? 'config' : 'entries'
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n')
}

function none(found: string[], reason: string): void {
  assert.equal(found.length, 0, `${reason}\n  ${found.join('\n  ')}`)
}

test('every file stands in a room that the house knows', () => {
  const strange = files.filter((path) => !rooms.includes(roomOf(path)))
  none(strange, 'A new room needs its place in the order of test/tidy.test.ts and ARCHITECTURE.md.')
})

test('a room imports only rooms that stand after it', () => {
  const found = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith('src/'))
      .filter((target) => rooms.indexOf(roomOf(target)) < rooms.indexOf(roomOf(path)))
      .map((target) => `${path} imports ${target}`),
  )
  none(found, 'An import against the order makes two rooms depend on each other.')
})

test('no file imports itself through others', () => {
  const cycle = findCycle(files)
  assert.equal(cycle, undefined, `A knot of files can only be changed together: ${cycle}`)
})

test('nobody imports the entries but tests', () => {
  const entry = /^src\/(cli|server|worker)\.ts$/
  const found = files
    .filter((path) => roomOf(path) !== 'entries')
    .filter((path) => importsOf(path).some((target) => entry.test(target)))
  none(found, 'Entries compose the parts; a part that imports an entry cannot stand alone.')
})

test('only config.ts reads the environment', () => {
  const found = files.filter(
    (path) => path !== 'src/config.ts' && /process\.env\b/.test(readFileSync(path, 'utf8')),
  )
  none(found, 'A setting read in one place is checked, documented and testable.')
})

test('only http/ knows Fastify', () => {
  const found = files
    .filter((path) => roomOf(path) !== 'http')
    .filter((path) => importsOf(path).some((target) => /^@?fastify\b|^@scalar\//.test(target)))
    .filter((path) => path !== 'src/server.ts')
  none(found, 'What Florin does must not depend on how it is asked.')
})

test('primitives import nothing but node: and each other', () => {
  const found = files
    .filter((path) => roomOf(path) === 'primitives')
    .flatMap((path) => importsOf(path).map((target) => [path, target] as const))
    .filter(([, target]) => !target.startsWith('node:') && !target.startsWith('src/primitives/'))
    .map(([path, target]) => `${path} imports ${target}`)
  none(found, 'Primitives are the ground: they know nothing of what stands on them.')
})

test('statements stand in queries.ts, and only their own room imports them', () => {
  const written = files.filter((path) => {
    const text = readFileSync(path, 'utf8')
    const has_sql = /\bsql`|`\s*(select|insert into|update|delete from)\s/.test(text)
    return has_sql && !path.endsWith('/queries.ts') && roomOf(path) !== 'postgres'
  })
  const health = 'src/http/routes/health.ts'
  none(
    written.filter((path) => path !== health),
    'Whoever looks for a statement looks in queries.ts.',
  )
  const borrowed = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.endsWith('/queries.ts') && roomOf(target) !== roomOf(path))
      .map((target) => `${path} imports ${target}`),
  )
  none(borrowed, "A noun never reads another noun's tables; it calls the other noun's function.")
})

test("a room's statements name only its own tables", () => {
  const found = files
    .filter((path) => path.endsWith('/queries.ts'))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      const named = text.matchAll(/\b(?:from|join|into|update)\s+([a-z_]+)/g)
      return [...named]
        .map((match) => match[1]!)
        .filter((table) => table in tableHomes && tableHomes[table] !== roomOf(path))
        .map((table) => `${path} names ${table}, which belongs to ${tableHomes[table]}`)
    })
  none(found, 'Only ledger/ writes money, and each table has one room that knows its rules.')
})

// Whatever stands between: `only`, a schema, an alias of `using`.
const changesPostings =
  /\b(update|delete\s+from|truncate(\s+table)?|merge\s+into)\s+(only\s+)?(\w+\.)?"?postings\b/i
const upsertsPostings =
  /\binsert\s+into\s+"?postings\b[^`]*?\bon\s+conflict\b[^`]*?\bdo\s+update\b/i

test('postings are only ever added', () => {
  for (const bad of [
    'update postings set amount = 1',
    'with gone as (\n  delete from\n    only postings where true) select',
    'truncate table public.postings',
    'insert into postings (a) values (1) on conflict (a) do update set a = 2',
  ]) {
    assert.ok(changesPostings.test(bad) || upsertsPostings.test(bad), `it would pass: ${bad}`)
  }
  const sources = files.map((path) => [path, readFileSync(path, 'utf8')] as const)
  const adding = sources.filter(([, text]) => /\binsert into postings\b/.test(text))
  assert.deepEqual(
    adding.map(([path]) => path),
    ['src/ledger/queries.ts'],
  )
  const found = sources
    .filter(([, text]) => changesPostings.test(text) || upsertsPostings.test(text))
    .map(([path]) => path)
  none(found, 'What was written about money stays: a mistake is mended by another posting.')
})

test('every table has a home', () => {
  const migrations = sourceFiles('migrations')
  const made = migrations.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/create table ([a-z_]+)/g)].map((match) => match[1]!),
  )
  none(
    made.filter((table) => !(table in tableHomes)),
    'Say in tableHomes of test/tidy.test.ts which room owns it.',
  )
})

test('migrations keep to what every PostgreSQL-like engine has', () => {
  const forbidden =
    /\b(trigger|plpgsql|create sequence|(big)?serial|create type|references|deferrable|savepoint)\b/
  const found = sourceFiles('migrations').flatMap((path) =>
    linesOf(path)
      .filter((line) => !line.trimStart().startsWith('--') && forbidden.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
  none(found, 'The schema must run unchanged on one PostgreSQL, behind PgBouncer and sharded.')
})

const web = sourceFiles('web/dashboard/src')

test('pages talk to the API through one folder only', () => {
  const door = /\bfetch\(|\bEventSource\(|XMLHttpRequest|['"`]\/(v1|dashboard\/api)\//
  const found = web
    .filter((path) => !path.startsWith('web/dashboard/src/api/'))
    // The line that fills an empty list names a path, for people to call.
    .filter((path) => door.test(readFileSync(path, 'utf8').replaceAll(/<CurlLine[^>]*>/g, '')))
  none(found, 'Pages ask through the SDK, which src/api/florin.ts makes for them.')
})

test('pages share pure functions with the server, and nothing else', () => {
  const found = web.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith('src/') || target.startsWith('node:'))
      .filter((target) => !target.startsWith('src/primitives/'))
      .map((target) => `${path} imports ${target}`),
  )
  none(found, 'A browser has no database and no files.')
  const outward = files.filter((path) => importsOf(path).some((target) => /^web\//.test(target)))
  none(outward, 'The server serves what was built; it knows nothing of the source.')
})

test('pages are built of parts, and parts know no page', () => {
  const above: Record<string, RegExp> = { api: /\/(parts|frame|pages)\//, parts: /\/pages\// }
  const found = web.flatMap((path) => {
    const forbidden = above[path.split('/')[3]!]
    const bad = forbidden ? importsOf(path).filter((target) => forbidden.test(`/${target}`)) : []
    return bad.map((target) => `${path} imports ${target}`)
  })
  none(found, 'api, parts, frame, pages: each stands on those before it.')
})

test('nothing secret is kept where scripts can read it', () => {
  const kept = /\b(localStorage|sessionStorage|indexedDB|document\.cookie)\b/
  const found = web
    .filter((path) => kept.test(readFileSync(path, 'utf8')))
    .filter((path) => path !== 'web/dashboard/src/frame/theme.ts')
  none(found, 'Only the chosen theme is kept in the browser.')
})

// What tsc and the generator of the SDK write is for machines, or read one method at a time.
const everything = [
  ...['src', 'test', 'bench', 'bin', 'docs', 'migrations', 'client', 'web/dashboard/src'].flatMap(
    (folder) => sourceFiles(folder),
  ),
  'web/dashboard/build.ts',
].filter((path) => !/^client\/(dist|src\/generated|node_modules)\//.test(path))

test('files have at most 400 lines, and lines at most 100 columns', () => {
  const long_files = everything.filter((path) => linesOf(path).length > 401)
  none(long_files, 'A file that does not fit in the head is two files.')
  const long_lines = everything.flatMap((path) =>
    linesOf(path).flatMap((line, at) => (line.length > 100 ? [`${path}:${at + 1}`] : [])),
  )
  none(long_lines, 'Two files side by side must fit on one screen.')
})

test('file names are kebab-case and say what the file does', () => {
  const empty = /^(utils?|helpers?|common|misc|service|manager|types|index)\./
  const found = everything.filter((path) => {
    const name = path.split('/').at(-1)!
    return empty.test(name) || !/^[a-z0-9_-]+(\.test|\.after|\.bench)?\.(tsx?|mjs|sql)$/.test(name)
  })
  none(found, 'A newcomer finds things by name.')
})

test('the SDK needs nothing but the platform that every runtime has', () => {
  const sdk = sourceFiles('client/src')
  const imported = sdk.flatMap((path) =>
    importsOf(path)
      .filter((target) => !sdk.includes(target))
      .map((target) => `${path} imports ${target}`),
  )
  none(imported, 'It runs in browsers and at the edge, where there is no node: and no package.')
  const special = /\b(process|Buffer|window|document|require)\b[.(]/
  const named = sdk.filter((path) => {
    const code = readFileSync(path, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    return special.test(code)
  })
  none(named, 'What one runtime has, another lacks.')
  assert.equal(findCycle(sdk), undefined, 'A knot of files can only be changed together.')
  const { dependencies = {}, version } = JSON.parse(readFileSync('client/package.json', 'utf8'))
  assert.deepEqual(dependencies, {}, 'Each would be a dependency of everybody who uses the SDK.')
  const florin = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.equal(version, florin.version, 'One version says which server and client fit together.')
})

test('no test is skipped by hand, and none is run alone', () => {
  const focused = /\b(it|test|describe)\.(only|skip|todo)\(/
  const found = sourceFiles('test').filter((path) => focused.test(readFileSync(path, 'utf8')))
  none(found, 'A test that does not run proves nothing.')
})

test('nothing is read from a page once, as if it had been drawn by then', () => {
  const reading = /assert\.\w+\(\s*\(?await [^\n]*?\.(count|isDisabled|allTextContents)\(\)/
  const found = sourceFiles('test').filter((path) => reading.test(readFileSync(path, 'utf8')))
  none(
    found,
    'A busy machine draws later: eventually() of test/support/eventually.ts waits for it.',
  )
})

test('every package in the lock file has an integrity hash and no download address', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const packages = Object.entries<Record<string, unknown>>(lock.packages).slice(1)
  // A bundled package is part of its parent's archive, whose hash covers it.
  const unchecked = packages.filter(([, entry]) => !entry.integrity && !entry.inBundle)
  none(
    unchecked.map(([path]) => path),
    'npm ci installs a package without a hash unchecked. Choose a version whose hash npm can read.',
  )
  const addressed = packages.filter(([, entry]) => entry.resolved)
  none(
    addressed.map(([path]) => path),
    'A download address ties the lock file to one registry.',
  )
})
