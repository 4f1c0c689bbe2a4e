// Runs test files, records the statements that they send, and finds out how Citus plans each one.
//
//   node test/support/replay.ts [--plain] test/transactions/create.test.ts …
//
// prints the statements that Citus refuses or runs in several shards. With --plain the tests run on
// PostgreSQL without Citus, whose catalog shows four shards, and the statements are planned on the
// cluster.

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { hashUuid } from '../../src/postgres/shards.ts'
import { toDatabase } from './ask.ts'
import { distributedDatabase, findNodes, shard_count } from './citus.ts'
import { type CitusPlan, planOf, withAccount } from './citus-plans.ts'
import { findTemplates, type Template, templateOf } from './find-templates.ts'
import { startTestServer, template as test_template } from './postgres.ts'
import type { RecordedStatement } from './record-statements.ts'
import { simulateCitus } from './shard-catalog.ts'
import { writeEntries } from './shared-entries.ts'
import { sourceFiles } from './source-tree.ts'

/** By kind, how many samples were planned so, and an example. */
type PlanKinds = Map<
  CitusPlan['kind'],
  { count: number; plan: CitusPlan; sample: RecordedStatement }
>

export interface PlannedTemplate {
  template: Template
  /** As the tests sent it. */
  kinds: PlanKinds
  /** With one more account in each list, of any shard. */
  with_account: PlanKinds
}

interface RecordedRun {
  statements: RecordedStatement[]
  passed: boolean
  output: string
}

/** Runs the files on the server of `npm test`, in a few processes, and returns what they sent. */
export async function recordRun(files: string[]): Promise<RecordedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'florin-statements-'))
  const server = await startTestServer()
  try {
    const nodes = await findNodes(server.connection)
    if (nodes.length === 0) {
      await simulateCitus(toDatabase(server.connection, test_template), shard_count)
    }
    const run = await runShared(files, folder, {
      FLORIN_TEST_POSTGRES: JSON.stringify(server.connection),
      FLORIN_TEST_STATEMENTS: folder,
      NODE_OPTIONS: `--import ${new URL('record-statements.ts', import.meta.url).href}`,
    })
    const recorded = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
    const lines = recorded.flatMap((file) =>
      readFileSync(join(folder, file), 'utf8').trim().split('\n'),
    )
    return { ...run, statements: lines.map((line) => JSON.parse(line)) }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runShared(files: string[], folder: string, env: Record<string, string>) {
  const entries = await writeEntries(folder, { files, each: Math.ceil(files.length / 2) })
  const options = ['--test', '--test-concurrency=2', '--test-timeout=60000']
  const child = spawn(process.execPath, [...options, ...entries], {
    // A test runner that runs in another one reports to it, instead of printing.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, FLORIN_TEST_RUN: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output: string[] = []
  child.stdout.on('data', (data) => output.push(String(data)))
  const code = await new Promise((resolve) => child.on('exit', resolve))
  return { passed: code === 0, output: output.join('') }
}

// Of one text, over all processes.
const samples_max = 8
const samples_with_account_max = 2
const planned = /^\s*(\(\s*)*(select|insert|update|delete|with|merge)\b/i

/** Plans every statement that comes from a template of src/. */
export async function planAll(
  client: pg.Client,
  statements: RecordedStatement[],
  templates: Template[],
): Promise<PlannedTemplate[]> {
  const found = new Map<Template, PlannedTemplate>()
  const known = new Map<string, Template | undefined>()
  const counts = new Map<string, number>()
  for (const sample of statements) {
    if (!planned.test(sample.text)) continue
    if (!known.has(sample.text)) known.set(sample.text, templateOf(templates, sample.text))
    const template = known.get(sample.text)
    const count = counts.get(sample.text) ?? 0
    counts.set(sample.text, count + 1)
    if (template === undefined || count >= samples_max) continue
    if (!found.has(template)) {
      found.set(template, { template, kinds: new Map(), with_account: new Map() })
    }
    const { kinds, with_account } = found.get(template)!
    addPlan(kinds, await planOf(client, sample), sample)
    if (count >= samples_with_account_max) continue
    for (const account_id of other_accounts) {
      const longer = withAccount(sample, account_id)
      if (longer !== undefined) addPlan(with_account, await planOf(client, longer), longer)
    }
  }
  return [...found.values()]
}

// Of two shards, so one of them is not in the shard of the statement.
const other_accounts = [-1, 1].map((sign) => {
  for (;;) {
    const id = crypto.randomUUID()
    if (Math.sign(hashUuid(id)) === sign) return id
  }
})

function addPlan(kinds: PlanKinds, plan: CitusPlan, sample: RecordedStatement): void {
  const same = kinds.get(plan.kind)
  if (same === undefined) kinds.set(plan.kind, { count: 1, plan, sample })
  else same.count += 1
}

export function templatesOfSource(): Template[] {
  return findTemplates(sourceFiles('src', /\.ts$/))
}

/** Plans on a new distributed database without rows. */
export async function onEmptyCluster<Result>(
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const { connection, drop } = await distributedDatabase()
  const client = new pg.Client(connection)
  await client.connect()
  // Earlier statements of the transaction set them.
  await client.query(`set florin.email_delivery = 'true'; set florin.turned_off = '{}'`)
  try {
    return await work(client)
  } finally {
    await client.end()
    await drop()
  }
}

async function printPlans(args: string[]): Promise<void> {
  const is_plain = args.includes('--plain')
  const files = args.filter((one) => one !== '--plain')
  if (!is_plain) process.env.FLORIN_TEST_DATABASE_URL = process.env.FLORIN_TEST_CITUS_URL!
  const { statements, passed, output } = await recordRun(files)
  if (!passed) console.log(output)
  const all = await onEmptyCluster((client) => planAll(client, statements, templatesOfSource()))
  const lines = all.flatMap(({ template, kinds }) => {
    const wrong = [...kinds].filter(([kind]) => !['plain', 'none', 'one'].includes(kind))
    if (wrong.length === 0) return []
    const counts = [...kinds].map(([kind, { count }]) => `${kind} ${count}`).join(', ')
    const messages = wrong.map(([kind, { plan }]) => `    ${kind}: ${plan.message ?? plan.tasks}`)
    return [`${template.file}:${template.line} ${template.owner} (${counts})`, ...messages]
  })
  console.log(lines.join('\n'))
  console.log(`${all.length} statements planned, tests ${passed ? 'passed' : 'FAILED'}`)
}

if (import.meta.main) await printPlans(process.argv.slice(2))
