// Runs the guides as written, one after another against one Florin, like a reader would.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { findFreePort } from '../support/free-port.ts'
import { type GuideStep, readSteps, runGuide } from './run-guide.ts'

const folder = fileURLToPath(new URL('../../docs/guides', import.meta.url))
// The go-live guide needs a live Florin, three others need settings of a processor, one an OpenID
// Connect provider, two a cluster, one packed packages, one the previous version, and two root: see
// go-live.process.test.ts, provider-guides.test.ts, test/identity/oidc/settings.test.ts,
// test/simulation/patroni.process.test.ts, test/postgres/citus.slow.test.ts,
// test/simulation/rolling-upgrade.process.test.ts, test/packaging/ and test/deploy/.
const others = [
  'bank-transfers.md',
  'containers.md',
  'go-live.md',
  'grow-with-citus.md',
  'high-availability.md',
  'install.md',
  'oidc-login.md',
  'systemd.md',
  'take-cards-with-stripe.md',
  'take-payments-with-mollie.md',
  'upgrade.md',
]
const guides = readdirSync(folder).filter((name) => name.endsWith('.md') && !others.includes(name))
const pages = ['README.md', ...guides.map((name) => `docs/guides/${name}`)]
// The data directory of the guide that moves the clock.
const throwaway = '../florin-clock'
const is_supported = 'import sys; sys.exit(sys.version_info < (3, 11))'
const has_python = spawnSync('python3', ['-c', is_supported]).status === 0

// It moves the clock, which would change what the other pages show.
const moves_clock = 'docs/guides/test-clock.md'

async function startInstallation(t: { after: typeof after }) {
  const installation = await makeUsedInstallation(t)
  return { installation, ...(await installation.start()) }
}

const shared = await startInstallation({ after })

for (const path of pages) {
  test(`every command of ${path} prints what the page shows`, async (t) => {
    const alone = path === moves_clock
    const { installation, florin, url } = alone ? await startInstallation(t) : shared
    // XDG_CONFIG_HOME keeps the guide's logins apart from those of the user who runs the tests.
    // FLORIN_PUBLIC_URL has the actual port, for commands that print links.
    const config_home = await mkdtemp(join(installation.path, 'config '))
    const paths = { FLORIN_DATA: installation.data_path, XDG_CONFIG_HOME: config_home }
    const env = { ...paths, FLORIN_PUBLIC_URL: url }
    // The webhook receiver's port may be in use, so a free one replaces it.
    const port = await findFreePort()
    const replacements = {
      'PORT=4100': `PORT=${port}`,
      '127.0.0.1:4100': `127.0.0.1:${port}`,
      [throwaway]: installation.data_path,
    }
    if (!has_python) t.diagnostic('python3 3.11 is not installed: steps that need it were skipped')
    const only = ({ command }: GuideStep) => has_python || !/\bpython3\b/.test(command)
    const steps = await runGuide(path, { url, env, replacements, only })
    assert.ok(steps > 0, 'the page has no commands')
    if (alone) assert.equal((await florin.stop()).code, 0)
  })
}

test('the server stops without a failure after all pages', async () => {
  assert.equal((await shared.florin.stop()).code, 0)
})

test('no two pages use the same email or Idempotency-Key, so one database serves all', () => {
  const users = new Map<string, string>()
  for (const path of [...pages, 'docs/guides/go-live.md']) {
    const text = readFileSync(`${folder}/../../${path}`, 'utf8')
    const emails = /(?:"email": "|--email |\bemail = '|-d email=)([\w.+-]+@[\w.-]+)/g
    const keys = /Idempotency-Key: ([\w-]+)'|\bidempotency_key: [`']([^`']+)/g
    const used = [...text.matchAll(emails), ...text.matchAll(keys)].map(([, a, b]) => a ?? b!)
    assert.ok(path !== 'README.md' || used.length > 0, 'nothing was found')
    for (const word of new Set(used)) {
      assert.equal(users.get(word), undefined, `${path} uses ${word}, too`)
      users.set(word, path)
    }
  }
  assert.ok(users.size >= 12, `only ${users.size} were found`)
})

test('only a guide with a throwaway data directory moves the clock by days', () => {
  const moving = pages.filter((path) => {
    const steps = readSteps(readFileSync(`${folder}/../../${path}`, 'utf8'))
    return steps.some(({ command }) => /clock[/ ]advance (?!\d+[sm]\b)/.test(command))
  })
  assert.deepEqual(moving, [moves_clock])
  const text = readFileSync(`${folder}/test-clock.md`, 'utf8')
  assert.ok(text.includes(`$ FLORIN_DATA=${throwaway} npm start`))
  assert.ok(text.includes(`export FLORIN_DATA="${throwaway}"`))
})

test('a program is saved under the name in its first line', () => {
  const page = ['```js', '// pay.mjs', 'pay()', '```', '```js', 'only shown', '```', '']
  const steps = readSteps(page.join('\n'))
  assert.equal(steps.length, 1)
  assert.match(steps[0]!.command, /^cat > pay\.mjs <<'END_OF_FILE'\n\/\/ pay\.mjs\npay\(\)\n/)
})

test('an output block belongs to the command directly before it', () => {
  const page = ['```sh', 'a', '```', '', '```json', '{}', '```', '```sh', 'b', '```', 'Then', '']
  const more = ['```json', '[]', '```', '```console', 'c', '```', '```sh', 'd', '```', '']
  const steps = readSteps([...page, ...more].join('\n'))
  assert.deepEqual(
    steps.map(({ line, command, expected }) => [line, command, expected?.text]),
    [
      [1, 'a\n', '{}\n'],
      [8, 'b\n', undefined],
      [19, 'd\n', undefined],
    ],
  )
})
