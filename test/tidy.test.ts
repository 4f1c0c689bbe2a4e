// Architecture rules. Each message states the reason for its rule. If a rule is in the way, change
// the design first; change the rule only together with a page in docs/decisions/.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findCycle, importsOf, sourceFiles } from './support/source-tree.ts'
import { tableOwners } from './support/table-owners.ts'

// From the outermost layer to the innermost: a module imports only modules listed after it.
const modules = [
  'entries',
  'cli',
  'http',
  'pages',
  'dashboard',
  'operations',
  'subscriptions',
  'payment-links',
  'bank-statements',
  'documents',
  'payments',
  'customers',
  'disputes',
  'payouts',
  'transfers',
  'transactions',
  'accounts',
  'settlements',
  'lanes',
  'identity',
  'idempotency',
  'webhooks',
  'ledger',
  'events',
  'audit',
  'request-log',
  'processors',
  'email',
  'translations',
  'outbox',
  'jobs',
  'embedded-postgres',
  'postgres',
  'tracing',
  'config',
  'bank',
  'primitives',
]

const files = sourceFiles('src')

function moduleOf(path: string): string {
  const parts = path.split('/')
  if (parts.length > 2) return parts[1]!
  return /^(config|\w+-settings|secret-files|server-urls|version)\.ts$/.test(parts[1]!)
    ? 'config'
    : 'entries'
}

/** The folder that owns tables: a folder of identity/ or a module. */
function ownerOf(path: string): string {
  const parts = path.split('/')
  return parts[1] === 'identity' && parts.length > 3 ? `identity/${parts[2]}` : moduleOf(path)
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n')
}

function none(found: string[], reason: string): void {
  assert.equal(found.length, 0, `${reason}\n  ${found.join('\n  ')}`)
}

test('every source file belongs to a known module', () => {
  const unknown = files.filter((path) => !modules.includes(moduleOf(path)))
  none(unknown, 'Add a new module to the order in test/tidy.test.ts and ARCHITECTURE.md.')
})

test('a module imports only modules listed after it', () => {
  const found = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith('src/'))
      .filter((target) => modules.indexOf(moduleOf(target)) < modules.indexOf(moduleOf(path)))
      .map((target) => `${path} imports ${target}`),
  )
  none(found, 'An import against the order makes two modules depend on each other.')
})

test('there are no import cycles', () => {
  const others = ['bench', 'client', 'docs', 'test', 'web'].flatMap((folder) => sourceFiles(folder))
  const own = others.filter((path) => !/\/(dist|node_modules)\//.test(path))
  const cycle = findCycle([...files, ...own])
  assert.equal(cycle, undefined, `Files in an import cycle can only be changed together: ${cycle}`)
})

test('only tests import the entry points', () => {
  const entry = /^src\/(cli|server|worker)\.ts$/
  const found = files
    .filter((path) => moduleOf(path) !== 'entries')
    .filter((path) => importsOf(path).some((target) => entry.test(target)))
  none(found, 'Entry points compose the parts. A part that imports one cannot be used alone.')
})

test('only config.ts reads the environment', () => {
  const found = files.filter(
    (path) => path !== 'src/config.ts' && /process\.env\b/.test(readFileSync(path, 'utf8')),
  )
  none(found, 'A setting that is read in one file is validated, documented and testable.')
})

test('only http/ imports Fastify', () => {
  const found = files
    .filter((path) => moduleOf(path) !== 'http')
    .filter((path) => importsOf(path).some((target) => /^@?fastify\b/.test(target)))
    .filter((path) => path !== 'src/server.ts')
  none(found, 'The domain logic must not depend on the transport.')
})

test('primitives import nothing but node: and each other', () => {
  const found = files
    .filter((path) => moduleOf(path) === 'primitives')
    .flatMap((path) => importsOf(path).map((target) => [path, target] as const))
    .filter(([, target]) => !target.startsWith('node:') && !target.startsWith('src/primitives/'))
    .map(([path, target]) => `${path} imports ${target}`)
  none(found, 'Primitives are the lowest layer and must not depend on other modules.')
})

test('primitives are at most thirteen files', () => {
  const found = files.filter((path) => moduleOf(path) === 'primitives')
  assert.ok(found.length <= 13, `Add to a file that exists, or to the only user: ${found}`)
})

const isQueries = (path: string) => /\/([a-z-]+-)?queries\.ts$/.test(path)

test('SQL is only in queries.ts, which only its own module imports', () => {
  const written = files.filter((path) => {
    const text = readFileSync(path, 'utf8')
    const has_sql = /\bsql`|`\s*(select|insert into|update|delete from)\s/.test(text)
    return has_sql && !isQueries(path) && !/postgres$/.test(moduleOf(path))
  })
  const health = 'src/http/routes/health.ts'
  none(
    written.filter((path) => path !== health),
    'SQL statements belong in queries.ts, where readers look for them.',
  )
  const borrowed = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => isQueries(target) && ownerOf(target) !== ownerOf(path))
      .map((target) => `${path} imports ${target}`),
  )
  none(borrowed, "A module never reads another module's tables. Call the other module's function.")
})

test("a module's SQL names only its own tables", () => {
  const found = files.filter(isQueries).flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    const named = text.matchAll(/\b(?:from|join|into|update)\s+([a-z_]+)/g)
    return [...named]
      .map((match) => match[1]!)
      .filter((table) => table in tableOwners && tableOwners[table] !== ownerOf(path))
      .map((table) => `${path} names ${table}, which belongs to ${tableOwners[table]}`)
  })
  none(found, 'Only ledger/ writes money, and each table has one module that enforces its rules.')
})

// Also matches `only` and a schema name before the table.
const changesPostings =
  /\b(update|delete\s+from|truncate(\s+table)?|merge\s+into)\s+(only\s+)?(\w+\.)?"?postings\b/i
const upsertsPostings =
  /\binsert\s+into\s+"?postings\b[^`]*?\bon\s+conflict\b[^`]*?\bdo\s+update\b/i

test('postings are append-only', () => {
  for (const bad of [
    'update postings set amount = 1',
    'with gone as (\n  delete from\n    only postings where true) select',
    'truncate table public.postings',
    'insert into postings (a) values (1) on conflict (a) do update set a = 2',
  ]) {
    assert.ok(changesPostings.test(bad) || upsertsPostings.test(bad), `not detected: ${bad}`)
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
  none(found, 'Postings are never changed: a mistake is corrected by another posting.')
})

test('every table has an owner', () => {
  const migrations = sourceFiles('migrations')
  const created = migrations.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/create table ([a-z_]+)/g)].map((match) => match[1]!),
  )
  none(
    created.filter((table) => !(table in tableOwners)),
    'Add the table and the module that owns it to tableOwners in test/tidy.test.ts.',
  )
})

test('migrations use only features that all PostgreSQL-compatible engines support', () => {
  const forbidden =
    /\b(trigger|plpgsql|create sequence|(big)?serial|create type|references|deferrable|savepoint)\b/
  const found = sourceFiles('migrations').flatMap((path) =>
    linesOf(path)
      .filter((line) => !line.trimStart().startsWith('--') && forbidden.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
  none(found, 'The schema must work unchanged on one PostgreSQL, behind PgBouncer, and sharded.')
})

test('only the client commands import the SDK and the MCP server', () => {
  const found = files.flatMap((path) =>
    importsOf(path)
      .filter((target) => /^(client|mcp)\//.test(target) && !path.startsWith('src/cli/client/'))
      // The API reference shows the SDK method of each operation. This file is a table of names.
      .filter((target) => target !== 'client/generator/method-names.ts')
      .map((target) => `${path} imports ${target}`),
  )
  none(found, 'The server must not depend on its clients.')
})

const web = sourceFiles('web/dashboard/src')

test('pages call the API only through src/api/', () => {
  const direct_call = /\bfetch\(|\bEventSource\(|XMLHttpRequest|['"`]\/(v1|dashboard\/api)\//
  const found = web
    .filter((path) => !path.startsWith('web/dashboard/src/api/'))
    // CurlLine shows an example command with a path.
    .filter((path) =>
      direct_call.test(readFileSync(path, 'utf8').replaceAll(/<CurlLine[^>]*>/g, '')),
    )
  none(found, 'Pages use the SDK client that src/api/florin.ts creates.')
})

test('pages share only pure functions with the server', () => {
  const found = web.flatMap((path) =>
    importsOf(path)
      .filter((target) => target.startsWith('src/') || target.startsWith('node:'))
      .filter((target) => !/^src\/(primitives|bank)\//.test(target))
      .map((target) => `${path} imports ${target}`),
  )
  none(found, 'A browser has no database and no file system.')
  const outward = files.filter((path) => importsOf(path).some((target) => /^web\//.test(target)))
  none(outward, 'The server serves the built files and must not depend on their source.')
})

test('components do not import pages', () => {
  const above: Record<string, RegExp> = { api: /\/(parts|frame|pages)\//, parts: /\/pages\// }
  const found = web.flatMap((path) => {
    const forbidden = above[path.split('/')[3]!]
    const bad = forbidden ? importsOf(path).filter((target) => forbidden.test(`/${target}`)) : []
    return bad.map((target) => `${path} imports ${target}`)
  })
  none(found, 'The layers are api, parts, frame, pages: each may import only those before it.')
})

test('the dashboard stores no secrets where scripts can read them', () => {
  const storage = /\b(localStorage|sessionStorage|indexedDB|document\.cookie)\b/
  const found = web
    .filter((path) => storage.test(readFileSync(path, 'utf8')))
    .filter((path) => !/(frame\/theme\.ts|parts\/developer-details\.tsx)$/.test(path))
  none(found, 'Only preferences may be stored in the browser.')
})

test('the SDK depends only on APIs that every JavaScript runtime has', () => {
  const sdk = sourceFiles('client/src')
  const imported = sdk.flatMap((path) =>
    importsOf(path)
      .filter((target) => !sdk.includes(target))
      .map((target) => `${path} imports ${target}`),
  )
  none(imported, 'The SDK runs in browsers and at the edge, without node: modules and packages.')
  const special = /\b(process|Buffer|window|document|require)\b[.(]/
  const named = sdk.filter((path) => {
    const code = readFileSync(path, 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
    return special.test(code)
  })
  none(named, 'These globals are missing in some runtimes.')
  const { dependencies = {}, version } = JSON.parse(readFileSync('client/package.json', 'utf8'))
  assert.deepEqual(dependencies, {}, "A dependency would be added to every user's project.")
  const florin = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.equal(version, florin.version, 'Server and SDK must have the same version.')
})

test('the MCP server imports only the public SDK', () => {
  const mcp = sourceFiles('mcp')
  const imported = mcp.flatMap((path) =>
    importsOf(path)
      .filter((target) => !mcp.includes(target) && !target.startsWith('node:'))
      .filter((target) => target !== 'client/src/florin.ts')
      .map((target) => `${path} imports ${target}`),
  )
  none(imported, 'It is a client of a running server, like any other program.')
  assert.equal(findCycle(mcp), undefined, 'Files in an import cycle can only be changed together.')
  const { dependencies = {}, version } = JSON.parse(readFileSync('mcp/package.json', 'utf8'))
  assert.deepEqual(dependencies, {}, 'The SDK is in the same repository.')
  const florin = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.equal(version, florin.version, 'Server and MCP server must have the same version.')
})
