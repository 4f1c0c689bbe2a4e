// The guides, typed in as they stand, each against a Florin of its own.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makePlace } from '../commands/florin-process.ts'
import { readSteps, runGuide } from './run-guide.ts'

const folder = fileURLToPath(new URL('../../docs/guides', import.meta.url))
// The guide to going live needs another Florin: see go-live.test.ts.
const guides = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'go-live.md')

for (const path of ['README.md', ...guides.map((name) => `docs/guides/${name}`)]) {
  test(`${path} is true to the last field`, async (t) => {
    const place = await makePlace(t)
    const { florin, url } = await place.start()
    // Log-ins of the guide are kept beside its data, and not among those of whoever runs this.
    const env = { FLORIN_DATA: place.data_path, XDG_CONFIG_HOME: place.path }
    const steps = await runGuide(path, { url, env })
    assert.ok(steps > 0, 'it has something to type')
    assert.equal((await florin.stop()).code, 0)
  })
}

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
