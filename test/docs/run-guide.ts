// Runs the commands of a documentation page and compares their output with what the page shows.
// All ```sh blocks run in one shell, so variables persist. A ```json, ```csv or ```text block right
// after one is its expected output. A ```js or ```python block starting with a file name is saved
// under that name in the current directory. A ```console block is not run. Ids, tokens, times and
// durations differ in each run, so only the positions at which the same value appears are compared.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { envOf } from '../cli/florin-process.ts'

export interface GuideStep {
  /** Line of the page at which the block starts. */
  line: number
  command: string
  /** The expected output; undefined if the page shows none. */
  expected: { language: 'json' | 'csv' | 'text'; text: string } | undefined
}

const outputs = ['json', 'csv', 'text']

export function readSteps(markdown: string): GuideStep[] {
  const blocks = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    text: match[2]!,
    start: match.index,
    end: match.index + match[0].length,
  }))
  return blocks.flatMap((block, at) => {
    const line = markdown.slice(0, block.start).split('\n').length
    const saved = saveCommand(block)
    if (saved !== undefined) return [{ line, command: saved, expected: undefined }]
    if (block.language !== 'sh') return []
    const next = blocks[at + 1]
    const has_output = next !== undefined && outputs.includes(next.language)
    const direct = has_output && markdown.slice(block.end, next.start).trim() === ''
    const expected = direct ? (next as GuideStep['expected']) : undefined
    return [{ line, command: block.text, expected }]
  })
}

/** Returns the command that saves a block whose first line has a file name. */
function saveCommand({ language, text }: { language: string; text: string }): string | undefined {
  const first_line = { js: /^\/\/ ([\w-]+\.mjs)\n/, python: /^# ([\w-]+\.py)\n/ }[language]
  const name = first_line?.exec(text)?.[1]
  return name && `cat > ${name} <<'END_OF_FILE'\n${text}END_OF_FILE\n`
}

interface GuideOptions {
  /** The actual URL of Florin. The page has http://127.0.0.1:4000. */
  url: string
  env: Record<string, string>
  /** Other texts of the page, such as ports, and their replacements in this run. */
  replacements?: Record<string, string>
  /** Selects the steps to run. The default is all. */
  only?: (step: GuideStep) => boolean
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const documented_url = 'http://127.0.0.1:4000'

/** Runs a page and returns the number of steps. Fails with the page, the line and both outputs. */
export async function runGuide(path: string, options: GuideOptions): Promise<number> {
  const { url, replacements = {}, only = () => true } = options
  const steps = readSteps(readFileSync(`${root}/${path}`, 'utf8')).filter(only)
  const pairs = Object.entries({ [documented_url]: url, ...replacements })
  const printed = await runSteps(steps, pairs, options.env)
  const actual = new Normalizer()
  const documented = new Normalizer()
  steps.forEach(({ line, expected }, at) => {
    const text = pairs.reduce((all, [shown, real]) => all.replaceAll(real, shown), printed[at]!)
    if (expected === undefined) return
    const where = `${path}:${line} prints\n${text}`
    assert.equal(
      actual.normalize(text, expected),
      documented.normalize(expected.text, expected),
      where,
    )
  })
  return steps.length
}

const mark = '--- end of step ---'

// `npm run` becomes the real command with this run's data directory. Like the reader's shell, ours
// runs in the root of the package, where npm finds it.
const prelude = `
set -eu
cd '${root}'
npm() {
  if [ "$1" != run ]; then command npm "$@"; return; fi
  while [ "$1" != -- ]; do shift; done; shift; '${process.execPath}' bin/florin.mjs "$@"
}
`

// `npm test` passes its settings, such as ignore-scripts, to child processes; a reader's shell has
// none of them. Installing packages in a guide must not use the network.
const quietNpm = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }

function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_/i.test(name)))
}

async function runSteps(
  steps: GuideStep[],
  pairs: [shown: string, real: string][],
  env: GuideOptions['env'],
): Promise<string[]> {
  const commands = steps.map(({ command }) => {
    const real = pairs.reduce((all, [shown, actual]) => all.replaceAll(shown, actual), command)
    return `${real}\necho '${mark}'\n`
  })
  const full_env = { ...withoutNpm(envOf(env)), ...quietNpm }
  // In a separate process group, so background processes of a failed step end with the shell.
  const child = spawn('sh', ['-s'], { env: full_env, detached: true })
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
    // No process is left in the group, as after a page that cleans up.
  }
}

// Every TypeID: a prefix and 26 characters.
const ids = /\b([a-z]{2,4})_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g

/** Numbers ids in the order of their first appearance on the page. */
class Normalizer {
  readonly #numbers = new Map<string, string>()

  normalize(text: string, { language }: { language: string }): string {
    const normalized = text
      .replaceAll(ids, (id, prefix) => this.#name(id, prefix))
      .replaceAll(/\b(f[ar]t|sk_sandbox|sk_live)_[\w-]{43}/g, 'token')
      .replaceAll(/(?<=\/pay\/)[\w-]{43}/g, 'token')
      .replaceAll(/\berased-[0-9a-f]{32}@/g, 'erased@')
      .replaceAll(/\bwhsec_[A-Za-z0-9+/]{43}=/g, 'secret')
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]\d\d:\d\d)/g, 'time')
      .replaceAll(/\b\d+\.\d s\b/g, 'duration')
      .replaceAll(/\b(\d+) of \1 migrations\b/g, 'all migrations')
      .replaceAll('\r\n', '\n')
      .trim()
    if (language !== 'json') return normalized
    return JSON.stringify(JSON.parse(normalized), null, 2)
  }

  #name(id: string, prefix: string): string {
    const name = this.#numbers.get(id) ?? `${prefix}_${this.#numbers.size + 1}`
    this.#numbers.set(id, name)
    return name
  }
}
