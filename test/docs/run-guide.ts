// Runs what a page of documentation tells people to type, and holds what comes out against what the
// page says comes out. A ```sh block is run, all of a page's blocks in one shell, so that variables
// last; the block that follows it directly, if it is ```json, ```csv or ```text, is what the
// command prints. A ```js or ```python block that begins with the name of a file is saved under it
// where the shell stands. A ```console block is only shown. Ids, tokens, times and durations are
// others in each run: they are compared by where they are the same, and not by what they are.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { envOf } from '../commands/florin-process.ts'

export interface Step {
  /** Where in the page it begins. */
  line: number
  command: string
  /** What the page says it prints; undefined when the page says nothing. */
  expected: { language: 'json' | 'csv' | 'text'; text: string } | undefined
}

const outputs = ['json', 'csv', 'text']

export function readSteps(markdown: string): Step[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    text: match[2]!,
    start: match.index,
    end: match.index + match[0].length,
  }))
  return blocks.flatMap((block, at) => {
    const line = markdown.slice(0, block.start).split('\n').length
    const saved = saving(block)
    if (saved !== undefined) return [{ line, command: saved, expected: undefined }]
    if (block.language !== 'sh') return []
    const next = blocks[at + 1]
    const told = next !== undefined && outputs.includes(next.language)
    const direct = told && markdown.slice(block.end, next.start).trim() === ''
    const expected = direct ? (next as Step['expected']) : undefined
    return [{ line, command: block.text, expected }]
  })
}

/** What a reader does with a block that says its file's name in its first line. */
function saving({ language, text }: { language: string; text: string }): string | undefined {
  const first_line = { js: /^\/\/ ([\w-]+\.mjs)\n/, python: /^# ([\w-]+\.py)\n/ }[language]
  const name = first_line?.exec(text)?.[1]
  return name && `cat > ${name} <<'END_OF_FILE'\n${text}END_OF_FILE\n`
}

export interface Surroundings {
  /** Where Florin really listens; the page says http://127.0.0.1:4000. */
  url: string
  env: Record<string, string>
  /** What else the page says, and what stands for it in this run: a port that is free. */
  instead?: Record<string, string>
  /** Which steps are taken; all of them if nothing is said. */
  only?: (step: Step) => boolean
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const said_url = 'http://127.0.0.1:4000'

/** Fails with the page, the line and both texts where the page is wrong. */
export async function runGuide(path: string, surroundings: Surroundings): Promise<number> {
  const { url, instead = {}, only = () => true } = surroundings
  const steps = readSteps(readFileSync(`${root}/${path}`, 'utf8')).filter(only)
  const words = Object.entries({ [said_url]: url, ...instead })
  const printed = await runSteps(steps, words, surroundings.env)
  const found = new Normalizer()
  const said = new Normalizer()
  steps.forEach(({ line, expected }, at) => {
    const text = words.reduce((all, [said, real]) => all.replaceAll(real, said), printed[at]!)
    if (expected === undefined) return
    const where = `${path}:${line} prints\n${text}`
    assert.equal(found.normalize(text, expected), said.normalize(expected.text, expected), where)
  })
  return steps.length
}

const mark = '--- end of step ---'

// npm finds the package by the directory it is called in; the reader is in it, and so are we. The
// command is the real one, with the data directory of this run.
const prelude = `
set -eu
cd '${root}'
npm() {
  if [ "$1" != run ]; then command npm "$@"; return; fi
  while [ "$1" != -- ]; do shift; done; shift; '${process.execPath}' bin/florin.mjs "$@"
}
`

// `npm test` tells the commands below it how it was called, such as that scripts are ignored; a
// reader's shell knows nothing of it. What guides install needs no network, and uses none.
const quietNpm = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }

function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)))
}

async function runSteps(
  steps: Step[],
  words: [said: string, real: string][],
  env: Surroundings['env'],
): Promise<string[]> {
  const commands = steps.map(({ command }) => {
    const real = words.reduce((all, [said, instead]) => all.replaceAll(said, instead), command)
    return `${real}\necho '${mark}'\n`
  })
  const given = { ...withoutNpm(envOf(env)), ...quietNpm }
  // In a group of its own: what a step that failed left in the background ends with the shell.
  const child = spawn('sh', ['-s'], { env: given, detached: true })
  child.once('exit', () => endGroup(child.pid!))
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  child.stdin.end(prelude + commands.join(''))
  const code = await new Promise((resolve) => child.on('close', resolve))
  const printed = stdout.split(mark)
  const step = steps[printed.length - 1]
  assert.equal(code, 0, `line ${step?.line} failed:\n${step?.command}\n${stdout}\n${stderr}`)
  assert.equal(stderr, '')
  return printed.slice(0, -1)
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in it, which is what a page that tidies up leaves.
  }
}

const ids = /\b(usr|acct|txn|pay|ses|sub|key|evt|we|wd|req)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** Gives each id the number of its first appearance, in the order of the page. */
class Normalizer {
  readonly #numbers = new Map<string, string>()

  normalize(text: string, { language }: { language: string }): string {
    const known = text
      .replaceAll(ids, (id, prefix) => this.#name(id, prefix))
      .replaceAll(/\b(f[ar]t|sk_sandbox|sk_live)_[\w-]{43}/g, 'token')
      .replaceAll(/(?<=\/pay\/)[\w-]{43}/g, 'token')
      .replaceAll(/\bwhsec_[A-Za-z0-9+/]{43}=/g, 'secret')
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)/g, 'time')
      .replaceAll(/\b\d+\.\d s\b/g, 'duration')
      .replaceAll(/\b(\d+) of \1 migrations\b/g, 'all migrations')
      .replaceAll('\r\n', '\n')
      .trim()
    if (language !== 'json') return known
    return JSON.stringify(JSON.parse(known), null, 2)
  }

  #name(id: string, prefix: string): string {
    const name = this.#numbers.get(id) ?? `${prefix}_${this.#numbers.size + 1}`
    this.#numbers.set(id, name)
    return name
  }
}
