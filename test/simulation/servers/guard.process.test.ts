// However the runner ends, nothing that it started outlives it by more than a moment.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const script = fileURLToPath(new URL('../run.ts', import.meta.url))

for (const signal of ['SIGKILL', 'SIGINT'] as const) {
  test(`a runner that ends with ${signal} leaves no processes and no data`, async (t) => {
    const directory = await temporaryDirectory(t)
    const args = [script, '--nemesis', 'none', '--clients', '1', '--seconds', '60']
    const env = { ...process.env, TMPDIR: directory }
    const runner = spawn(process.execPath, args, { env, stdio: 'ignore', detached: true })
    t.after(() => runner.kill('SIGKILL'))
    const ended = once(runner, 'exit')
    const started = await untilServing(runner.pid!)
    runner.kill(signal)
    await ended
    await until(async () => (await living(started)).length === 0, 'processes are left')
    const left = async () => (await readdir(directory)).filter((name) => /chaos-\w{6}$/.test(name))
    await until(async () => (await left()).length === 0, 'data is left')
  })
}

async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'guard-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

interface Process {
  pid: number
  parent: number
  args: string
}

async function processes(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args='])
  return stdout.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s(.*)$/.exec(line)
    return found ? [{ pid: Number(found[1]), parent: Number(found[2]), args: found[3]! }] : []
  })
}

/** Returns all descendants of the runner, once the server's worker is running. */
async function untilServing(runner_pid: number): Promise<Process[]> {
  let found: Process[] = []
  await until(async () => {
    const all = await processes()
    found = all.filter(({ pid }) => pid === runner_pid)
    for (const one of found) found.push(...all.filter(({ parent }) => parent === one.pid))
    return found.some(({ args }) => args.includes('--attached'))
  }, 'the server does not start')
  return found
}

async function living(known: Process[]): Promise<Process[]> {
  const now = new Map((await processes()).map((one) => [one.pid, one.args]))
  return known.filter(({ pid, args }) => now.get(pid) === args)
}

async function until(condition: () => Promise<boolean>, failure: string): Promise<void> {
  const deadline_ms = Date.now() + 60_000
  while (!(await condition())) {
    assert.ok(Date.now() < deadline_ms, failure)
    await sleep(100)
  }
}
