// The log is written completely and in order, and a log that cannot be written never blocks the
// server.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { LogSink } from '../../src/http/log-sink.ts'
import { until } from '../support/until.ts'

const needsFull = { skip: !existsSync('/dev/full') && 'only Linux has /dev/full' }

function makeFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'florin-log-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'log')
}

/** Long enough for a write to end. */
const pause = () => sleep(50)

/** Simulates free disk space: reopens a regular file under the same descriptor number. */
function makeRoom(fd: number, path: string): void {
  closeSync(fd)
  // Other code in this process may have freed lower descriptors, which are assigned first.
  const opened = [openSync(path, 'a')]
  while (opened.at(-1)! < fd) opened.push(openSync(path, 'a'))
  assert.equal(opened.pop(), fd)
  for (const lower of opened) closeSync(lower)
}

const line = (n: number) => `{"n":${n},"text":"${'é'.repeat(50)}"}\n`
const numbersIn = (path: string) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text).n)

test('writes all lines completely and in order', async (t) => {
  const path = makeFile(t)
  const sink = new LogSink(openSync(path, 'a'))
  const count = 5_000
  for (let n = 0; n < count; n++) {
    sink.write(line(n))
    if (n % 1_000 === 0) await pause()
  }
  await until(() => readFileSync(path, 'utf8').includes(`"n":${count - 1},`))
  sink.write(line(count))
  sink.flushSync()
  assert.deepEqual(
    numbersIn(path),
    Array.from({ length: count + 1 }, (_, n) => n),
  )
})

test('writes buffered lines once the disk has space', needsFull, async (t) => {
  const path = makeFile(t)
  const fd = openSync('/dev/full', 'a')
  const sink = new LogSink(fd)
  for (let n = 0; n < 2_000; n++) sink.write(line(n))
  await pause()
  // Does not block.
  sink.flushSync()
  await pause()
  makeRoom(fd, path)
  sink.write(line(2_000))
  await until(() => existsSync(path) && readFileSync(path, 'utf8').includes('"n":2000,'))
  assert.deepEqual(
    numbersIn(path),
    Array.from({ length: 2_001 }, (_, n) => n),
  )
})

test('drops and counts lines beyond the memory limit', needsFull, async (t) => {
  const path = makeFile(t)
  const fd = openSync('/dev/full', 'a')
  const sink = new LogSink(fd)
  const long = `{"text":"${'x'.repeat(1_000_000)}"}\n`
  for (let n = 0; n < 40; n++) sink.write(long)
  await pause()
  makeRoom(fd, path)
  await until(() => existsSync(path) && readFileSync(path, 'utf8').includes('lines dropped'))
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const report = JSON.parse(lines.at(-1)!)
  assert.equal(report.msg, 'log lines dropped: the log could not be written')
  assert.ok(report.lines > 20, `${report.lines} lines`)
  assert.equal(lines.length - 1 + report.lines, 40)
})

test('writes a line logged just before exit', async () => {
  const script = `
    const { openLog } = await import('./src/http/log.ts')
    openLog('info').info('last line')
    process.exit(3)`
  const args = ['--input-type=module', '-e', script]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 3)
  assert.equal(JSON.parse(stdout).msg, 'last line')
})
