// The build of the dashboard: when it runs, and that two builds at once do not disturb each other.
// Runs on a copy of the sources.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { appendFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { root } from '../support/source-tree.ts'

const copy = mkdtempSync(join(tmpdir(), 'florin-dashboard-'))
after(() => rm(copy, { recursive: true, force: true }))
const not_built = /\/(dist|node_modules)(\/|$|\.)/
const settings = ['package.json', 'package-lock.json', 'tsconfig.json']
for (const path of ['web/dashboard', 'client/src', 'src/bank', 'src/primitives', ...settings]) {
  cpSync(join(root, path), join(copy, path), {
    recursive: true,
    filter: (from) => !not_built.test(from.slice(root.length - 1)),
  })
}
const modules = join(copy, 'node_modules')
symlinkSync(join(root, 'node_modules'), modules)
const dashboard = join(copy, 'web/dashboard')

/** Returns what the check prints, or its error message. */
async function ensure(): Promise<string> {
  const script = `const { ensureDashboardBuilt } = await import('./ensure-built.ts')
    try { ensureDashboardBuilt() } catch (error) { console.error(error.message) }`
  const args = ['--input-type=module', '-e', script]
  return (await promisify(execFile)(process.execPath, args, { cwd: dashboard })).stderr
}

const building = 'Building the dashboard …\n'

test('two processes that build at the same time leave one complete build', async () => {
  assert.deepEqual(await Promise.all([ensure(), ensure()]), [building, building])
  const left = readdirSync(dashboard).filter((name) => name.startsWith('dist'))
  assert.deepEqual(left, ['dist'])
  const page = readFileSync(join(dashboard, 'dist/index.html'), 'utf8')
  const named = [...page.matchAll(/"\/dashboard\/([^"]+\.(?:js|css))"/g)].map((match) => match[1]!)
  assert.ok(named.length >= 3)
  for (const name of named) assert.ok(readFileSync(join(dashboard, 'dist', name)).length > 0)
})

test('builds again only if the content of a source changes', async () => {
  const source = join(copy, 'src/primitives/money.ts')
  await utimes(source, new Date(), new Date())
  assert.equal(await ensure(), '')
  await appendFile(source, '// changed\n')
  assert.equal(await ensure(), building)
  assert.equal(await ensure(), '')
})

test('states the command if the build tools are not installed', async () => {
  rmSync(modules)
  assert.equal(await ensure(), '')
  await appendFile(join(copy, 'package-lock.json'), '\n')
  const command = 'Run: npm ci && npm run build\n'
  assert.equal(await ensure(), `The dashboard is older than its sources. ${command}`)
  rmSync(join(dashboard, 'dist'), { recursive: true })
  assert.equal(await ensure(), `The dashboard is not built. ${command}`)
})
