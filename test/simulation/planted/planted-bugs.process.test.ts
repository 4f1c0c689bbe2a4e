// Checks that each bug is really planted: otherwise a run could not show that it is caught.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { leaks } from '../soak/leaks.ts'
import { type Swap, swapAll, swapText } from '../swap-text.ts'
import { planted_bugs } from './planted-bugs.ts'
import { provider_bugs } from './provider-bugs.ts'

const root = new URL('../../../', import.meta.url)

const planted: [string, { swaps: readonly Swap[] }][] = Object.entries({
  ...planted_bugs,
  ...provider_bugs,
  ...leaks,
})

for (const [name, { swaps }] of planted) {
  test(`the swap texts of ${name} match the source`, () => {
    assert.ok(swapAll(swaps).size > 0)
  })

  test(`a process started with ${name} loads the swapped source`, () => {
    const { file, to } = swaps[0]!
    const hook = new URL(`test/simulation/planted/plant-hook.ts?${name}`, root).href
    const script = `
      const { registerHooks } = await import('node:module')
      const loaded = []
      registerHooks({ load(url, context, next) {
        const result = next(url, context)
        if (url.endsWith(${JSON.stringify(file)})) loaded.push(String(result.source))
        return result
      } })
      await import(${JSON.stringify(new URL(file, root).href)})
      process.stdout.write(loaded[0])`
    const text = execFileSync(
      process.execPath,
      [`--import=${hook}`, '--input-type=module', '-e', script],
      { cwd: fileURLToPath(root), encoding: 'utf8' },
    )
    assert.ok(text.includes(to))
  })
}

test('swapText rejects a text that is missing or occurs twice', () => {
  const swap = { file: 'it.ts', from: 'one', to: 'two' }
  assert.equal(swapText('a one b', swap), 'a two b')
  assert.throws(() => swapText('a b', swap), /occurs 0 times in it\.ts/)
  assert.throws(() => swapText('one one', swap), /occurs 2 times in it\.ts/)
})
