// Shell completion, tested in the real shells where they are installed.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const state = `COMP_WORDS=(${list}); COMP_CWORD=${words.length}`
  const ask = `${state}; _florin; printf '%s\\n' "\${COMPREPLY[@]}"`
  const result = spawnSync('bash', ['--norc', '-c', `${scripts.get('bash')}\n${ask}`], {
    encoding: 'utf8',
  })
  assert.deepEqual([result.status, result.stderr], [0, ''])
  return result.stdout.split('\n').filter((line) => line !== '')
}

test('bash completes commands and subcommands', bash, () => {
  assert.deepEqual(complete('lo'), ['login', 'logout', 'logs'])
  assert.deepEqual(complete('admin', 'c'), ['create'])
  assert.ok(complete('').includes('start'))
  assert.deepEqual(complete('logs', 't'), ['tail'])
  assert.deepEqual(complete('nothing-of-ours', 'logs', 't'), ['tail'])
})

test('bash completes options and argument choices', bash, () => {
  assert.deepEqual(complete('admin', 'create', '--pass'), ['--password', '--password-stdin'])
  assert.deepEqual(complete('listen', '--forward-to', 'http://x', '--ev'), ['--events'])
  assert.deepEqual(complete('start', '--att'), [], 'hidden options are not offered')
  assert.deepEqual(complete('trigger', 'payment.s'), ['payment.succeeded'])
  assert.deepEqual(
    complete('trigger', '').filter((word) => !word.startsWith('-')),
    [...eventTypes],
  )
  assert.deepEqual(complete('open', 'da'), ['dashboard'])
  assert.deepEqual(complete('completion', ''), ['bash', 'zsh', 'fish', '--json', '--help'])
})

const fish = { skip: spawnSync('fish', ['--version']).status !== 0 && 'there is no fish' }

test('fish completes commands, options and choices', fish, () => {
  const offered = (line: string) => {
    const ask = `${scripts.get('fish')}\ncomplete -C '${line}'`
    const result = spawnSync('fish', ['--no-config', '-c', ask], { encoding: 'utf8' })
    assert.deepEqual([result.status, result.stderr], [0, ''])
    return result.stdout.split('\n').flatMap((one) => (one === '' ? [] : [one.split('\t')[0]]))
  }
  assert.deepEqual(offered('florin lo'), ['login', 'logout', 'logs'])
  assert.deepEqual(offered('florin logs t'), ['tail'])
  assert.deepEqual(offered('florin admin create --pass'), ['--password', '--password-stdin'])
  assert.deepEqual(offered('florin listen --forward-to http://x --ev'), ['--events'])
  assert.deepEqual(offered('florin start --att'), [])
  assert.deepEqual(offered('florin trigger payment.s'), ['payment.succeeded'])
  assert.deepEqual(offered('florin open da'), ['dashboard'])
})

const zsh = { skip: spawnSync('zsh', ['--version']).status !== 0 && 'there is no zsh' }

// zsh completes only in a terminal, so this opens one and presses Tab twice. Without the escape
// sequences, the output ends with the completed line.
const at_a_terminal = `
  zmodload zsh/zpty
  zpty shell zsh -f -i
  zpty -w shell "PROMPT=; autoload -Uz compinit; compinit -u -D; source $1; echo RE''ADY"
  while zpty -r shell line; do [[ $line == *READY* ]] && break; done
  zpty -n -w shell "$2"$'\\t\\t'"; echo E''ND"$'\\n'
  while zpty -r shell line; do print -rn -- "$line"; [[ $line == *END* ]] && break; done
  zpty -d shell`

test('zsh completes commands, options and choices', zsh, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-zsh-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, '_florin')
  writeFileSync(path, scripts.get('zsh')!)
  const drawn = (line: string) => {
    const flags = ['-f', '-c', at_a_terminal, 'zsh', path, line]
    const result = spawnSync('zsh', flags, { encoding: 'utf8', timeout: 60_000 })
    assert.deepEqual([result.status, result.stderr], [0, ''])
    return result.stdout.replaceAll(/\x1b\[[\d;?]*[A-Za-z]|\r/g, '')
  }
  const commands = drawn('florin lo')
  for (const name of ['login ', 'logout ', 'logs ']) assert.ok(commands.includes(name), commands)
  assert.doesNotMatch(commands, /start|unrecognized/)
  assert.match(drawn('florin logs t'), /florin logs tail /)
  assert.match(drawn('florin listen --forward-to http://x --ev'), /http:\/\/x --events /)
  assert.match(drawn('florin trigger payment.s'), /florin trigger payment\.succeeded /)
})

test('every script contains the commands, and --json wraps the script', async () => {
  for (const [shell, script] of scripts) {
    for (const name of ['start', 'listen', 'trigger', 'payment.succeeded', 'forward-to']) {
      assert.ok(script.includes(name), `${shell}: ${name}`)
    }
  }
  const { stdout } = await runToEnd(['completion', 'bash', '--json'])
  assert.deepEqual(JSON.parse(stdout), { shell: 'bash', script: scripts.get('bash') })
})
