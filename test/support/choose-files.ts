// Chooses test files: by tier, by what has changed, or by what depends on the database. The tier
// is part of the name:
//   x.test.ts           the default tier: everything runs in the test process
//   x.browser.test.ts   opens pages in a browser
//   x.process.test.ts   starts programs: florin, PostgreSQL servers, shells
//   x.slow.test.ts      repeats something for a long time: fuzz tests, models, floods

import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { closureOf, root, sourceFiles } from './source-tree.ts'

export const tiers = ['default', 'browser', 'process', 'slow'] as const

export type Tier = (typeof tiers)[number]

interface Choice {
  tiers: readonly Tier[]
  /** Only files that reach a file changed since the main branch. */
  changed: boolean
  /** Record logs, rows and secrets, and run the tests in test/after on them. */
  evidence: boolean
  /** Files named on the command line. They replace every other choice. */
  files: string[]
}

export function readChoice(args: string[]): Choice {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      tier: { type: 'string', multiple: true, default: ['default'] },
      changed: { type: 'boolean', default: false },
      evidence: { type: 'boolean', default: false },
    },
  })
  const unknown = values.tier.filter((name) => !tiers.includes(name as Tier))
  if (unknown.length > 0) throw new Error(`"--tier" must be one of ${tiers.join(', ')}`)
  const chosen = values.all ? tiers : (values.tier as Tier[])
  const { changed, evidence } = values
  return { tiers: chosen, changed, evidence, files: positionals }
}

const is_external = process.env.FLORIN_TEST_DATABASE_URL !== undefined

/** Whether this run is the one whose CPU time has a budget. */
export function isWholeDefaultTier({ tiers: chosen, changed, files }: Choice): boolean {
  return chosen.join() === 'default' && !changed && files.length === 0 && !is_external
}

/** The tests that look at the recorded evidence, after all others. */
export function filesAfter({ tiers: chosen }: Choice): string[] {
  const has_grids = chosen.includes('default') && !is_external
  const files = ['test/after/secrets.after.ts']
  return has_grids ? [...files, 'test/after/permission-coverage.after.ts'] : files
}

export function tierOf(file: string): Tier {
  return (/\.(browser|process|slow)\.test\.ts$/.exec(file)?.[1] as Tier) ?? 'default'
}

export function chooseFiles({ tiers: chosen, changed }: Choice): string[] {
  const files = sourceFiles('test', /\.test\.ts$/)
  // With an external database only tests that depend on the database are worth repeating, of all
  // tiers.
  if (is_external) return databaseFiles(files)
  const of_tier = files.filter((file) => chosen.includes(tierOf(file)))
  return changed ? reaching(of_tier, changedFiles()) : of_tier
}

// What may differ between PostgreSQL servers: plans, locks, lost connections. The fuzz test sends
// every statement.
const database_patterns = [
  /^test\/(ledger|postgres)\//,
  /^test\/operations\/(verify|reports\/volume)/,
  /^test\/transactions\/(idempotency|lanes|lists|money|settlement)/,
  /^test\/http\/fuzz/,
  /^test\/identity\/users\/search/,
  /^test\/webhooks\/deliver/,
  /^test\/cli\/verify/,
]

function databaseFiles(files: string[]): string[] {
  const lost = database_patterns.filter((pattern) => !files.some((file) => pattern.test(file)))
  if (lost.length > 0) throw new Error(`no test file matches ${lost.join(', ')}`)
  const matching = files.filter((file) => database_patterns.some((pattern) => pattern.test(file)))
  // Other tests in processes start separate PostgreSQL servers.
  return matching.filter((file) => tierOf(file) !== 'process' || /^test\/cli\//.test(file))
}

/** Returns the files that differ from the main branch, committed or not. */
function changedFiles(): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const [base] = git('merge-base', 'HEAD', 'main')
  return [
    ...git('diff', '--name-only', base!),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

// What a file loads without an import.
const loads: Record<string, RegExp> = {
  'test/cli/florin-process.ts': /^(bin|src|migrations)\//,
  'test/simulation/servers/florin-server.ts': /^(bin|src|migrations)\//,
  'test/support/browser.ts': /^(web\/dashboard|src\/pages)\//,
  'test/support/postgres.ts': /^(migrations\/|package-lock\.json)/,
  'test/support/source-tree.ts': /\.(tsx?|mjs|sql)$/,
}

/** Returns the files that are changed or reach a changed file. */
export function reaching(files: string[], changed: string[]): string[] {
  const is_changed = new Set(changed)
  const isHit = (path: string) =>
    is_changed.has(path) || changed.some((file) => loads[path]?.test(file))
  return files.filter((file) => [...closureOf(file)].some(isHit))
}
