// What a shell offers after Tab. bash is asked itself; zsh and fish are, where they are installed,
// whether they can read the script.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { eventTypes } from '../../src/events/event-types.ts'
import { runToEnd } from './florin-process.ts'

const bash = { skip: spawnSync('bash', ['--version']).status !== 0 && 'there is no bash' }

const scripts = new Map<string, string>()
for (const shell of ['bash', 'zsh', 'fish']) {
  const { code, stdout, stderr } = await runToEnd(['completion', shell])
  assert.deepEqual([code, stderr], [0, ''])
  scripts.set(shell, stdout)
}

function complete(...words: string[]): string[] {
  const list = ['florin', ...words].map((word) => `'${word}'`).join(' ')
  const place = `COMP_WORDS=(${list}); COMP_CWORD=${words.length}`
  const ask = `${place}; _florin; printf '%s\\n' "\${COMPREPLY[@]}"`
  const told = spawnSync('bash', ['--norc', '-c', `${scripts.get('bash')}\n${ask}`], {
    encoding: 'utf8',
  })
  assert.deepEqual([told.status, told.stderr], [0, ''])
  return told.stdout.split('\n').filter((line) => line !== '')
}

test('bash completes commands, and commands within commands', bash, () => {
  assert.deepEqual(complete('lo'), ['login', 'logout', 'logs'])
  assert.deepEqual(complete('admin', 'c'), ['create'])
  assert.ok(complete('').includes('start'))
  assert.deepEqual(complete('logs', 't'), ['tail'])
  assert.deepEqual(complete('nothing-of-ours', 'logs', 't'), ['tail'])
})

test('bash completes options of the command, and choices of its argument', bash, () => {
  assert.deepEqual(complete('admin', 'create', '--pass'), ['--password', '--password-stdin'])
  assert.deepEqual(complete('listen', '--forward-to', 'http://x', '--ev'), ['--events'])
  assert.deepEqual(complete('start', '--att'), [], 'what is hidden stays hidden')
  assert.deepEqual(complete('trigger', 'payment.s'), ['payment.succeeded'])
  assert.deepEqual(
    complete('trigger', '').filter((word) => !word.startsWith('-')),
    [...eventTypes],
  )
  assert.deepEqual(complete('open', 'da'), ['dashboard'])
  assert.deepEqual(complete('completion', ''), ['bash', 'zsh', 'fish', '--json', '--help'])
})

for (const shell of ['zsh', 'fish']) {
  const missing = spawnSync(shell, ['--version']).status !== 0 && `there is no ${shell}`
  test(`${shell} can read its script`, { skip: missing }, () => {
    const read = spawnSync(shell, ['-n'], { input: scripts.get(shell)!, encoding: 'utf8' })
    assert.deepEqual([read.status, read.stderr], [0, ''])
  })
}

test('every script names every command, and --json gives it as text in an object', async () => {
  for (const [shell, script] of scripts) {
    for (const name of ['start', 'listen', 'trigger', 'payment.succeeded', 'forward-to']) {
      assert.ok(script.includes(name), `${shell}: ${name}`)
    }
  }
  const { stdout } = await runToEnd(['completion', 'bash', '--json'])
  assert.deepEqual(JSON.parse(stdout), { shell: 'bash', script: scripts.get('bash') })
})
