// The guides, typed in as they stand, each against a Florin of its own.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeUsedInstallation } from '../commands/used-data-folder.ts'
import { findFreePort } from '../support/free-port.ts'
import { readSteps, runGuide, type Step } from './run-guide.ts'

const folder = fileURLToPath(new URL('../../docs/guides', import.meta.url))
// The guide to going live needs another Florin: see go-live.test.ts.
const guides = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'go-live.md')
const pages = ['README.md', ...guides.map((name) => `docs/guides/${name}`)]
const has_python = spawnSync('python3', ['--version']).status === 0

for (const path of pages) {
  test(`${path} is true to the last field`, async (t) => {
    const place = await makeUsedInstallation(t)
    const { florin, url } = await place.start()
    // Log-ins of the guide are kept beside its data, and not among those of whoever runs this.
    // It listens on a free port, which those that write links are told.
    const kept = { FLORIN_DATA: place.data_path, XDG_CONFIG_HOME: place.path }
    const env = { ...kept, FLORIN_PUBLIC_URL: url }
    // The port of the receiver of webhooks may be somebody else's.
    const port = await findFreePort()
    const instead = { 'PORT=4100': `PORT=${port}`, '127.0.0.1:4100': `127.0.0.1:${port}` }
    if (!has_python) t.diagnostic('python3 is not on this machine: what needs it was not run')
    const only = ({ command }: Step) => has_python || !/\bpython3\b/.test(command)
    const steps = await runGuide(path, { url, env, instead, only })
    assert.ok(steps > 0, 'it has something to type')
    assert.equal((await florin.stop()).code, 0)
  })
}

test('no two pages use the same email or Idempotency-Key, so one database does for all', () => {
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

test('a program is saved under the name in its first line, and runs when it is called', () => {
  const page = ['```js', '// pay.mjs', 'pay()', '```', '```js', 'only shown', '```', '']
  const steps = readSteps(page.join('\n'))
  assert.equal(steps.length, 1)
  assert.match(steps[0]!.command, /^cat > pay\.mjs <<'END_OF_FILE'\n\/\/ pay\.mjs\npay\(\)\n/)
})

test('a block belongs to the command right before it, and to no other', () => {
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
