// The systemd units, checked by systemd itself where it is installed, and what Florin does in them.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeInstallation } from '../cli/florin-process.ts'
import { makeDatabase } from '../cli/shared-database.ts'

const units = ['florin', 'florin-worker']
const folder = mkdtempSync(join(tmpdir(), 'florin-systemd-'))
after(() => rmSync(folder, { recursive: true }))

function textOf(name: string): string {
  return readFileSync(new URL(`../../deploy/${name}.service`, import.meta.url), 'utf8')
}

/** The unit with the Node.js of this machine: systemd checks that the program exists. */
function localCopy(name: string): string {
  const path = join(folder, `${name}.service`)
  const program = '/opt/florin/node_modules/.bin/node'
  assert.ok(textOf(name).includes(`ExecStart=${program} `))
  writeFileSync(path, textOf(name).replace(program, `"${process.execPath}"`))
  return path
}

const analyze = spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' })
const version = Number(/^systemd (\d+)/.exec(analyze.stdout ?? '')?.[1] ?? 0)
const with_systemd = { skip: version < 250 && 'systemd-analyze 250 or newer is not installed' }

for (const name of units) {
  test(`systemd accepts every line of ${name}.service`, with_systemd, () => {
    const path = localCopy(name)
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    const about = stderr.split('\n').filter((line) => line.includes(name))
    assert.deepEqual([status, about], [0, []])
    // It finds mistakes.
    const wrong = join(folder, `${name}-wrong.service`)
    writeFileSync(wrong, readFileSync(path, 'utf8').replace('ProtectSystem', 'ProtectSistem'))
    const found = spawnSync('systemd-analyze', ['verify', wrong], { encoding: 'utf8' })
    assert.match(found.stderr, /ProtectSistem/)
  })

  test(`systemd rates the exposure of ${name}.service below 2 of 10`, with_systemd, () => {
    const args = ['security', '--offline=true', '--threshold=20', '--no-pager', localCopy(name)]
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, /Overall exposure level for .*: 1\.\d OK/)
  })
}

test('both units have the same hardening', () => {
  const [server, worker] = units.map((name) => {
    const text = textOf(name)
    return text.slice(text.indexOf('# Hardening.'))
  })
  assert.ok(server!.split('\n').length > 25)
  assert.equal(server, worker)
})

const receiver = `
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('listening', flush=True)
while True:
    print(s.recv(4096).decode(), flush=True)
`

const missing = ['systemd-notify', 'python3'].filter(
  (program) => spawnSync(program, ['--version']).status !== 0,
)
const with_notify = { skip: missing.length > 0 && `${missing} is not installed` }

test('a server and a worker notify systemd when they are ready', with_notify, async (t) => {
  const installation = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const NOTIFY_SOCKET = join(folder, 'notify')
  const systemd = spawn('python3', ['-c', receiver, NOTIFY_SOCKET])
  t.after(() => systemd.kill('SIGKILL'))
  let received = ''
  systemd.stdout.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  const until = async (pattern: RegExp) => {
    while (!pattern.test(received)) await once(systemd.stdout, 'data')
  }
  await until(/listening/)
  const args = ['--no-worker']
  const { florin } = await installation.start({ env: { ...env, NOTIFY_SOCKET } }, args)
  await until(/READY=1/)
  received = ''
  const worker = installation.run(['worker'], { env: { ...env, NOTIFY_SOCKET, PORT: '4000' } })
  await until(/READY=1/)
  assert.equal((await worker.stop()).code, 0)
  assert.equal((await florin.stop()).code, 0)
})

test('doctor --unit checks with the settings of the unit, and reports its problems', async (t) => {
  const installation = await makeInstallation(t)
  const { env } = await makeDatabase(t)
  const url_path = join(folder, 'url')
  writeFileSync(url_path, `${env.DATABASE_URL}\n`, { mode: 0o600 })
  const path = join(folder, 'checked.service')
  const lines = [
    '[Service]',
    'User=no-such-user',
    `ExecStart=${process.execPath} bin/florin.mjs start`,
    `LoadCredential=DATABASE_URL:${url_path}`,
    'Environment=FLORIN_MODEL=x PORT=0',
    'TimeoutStopSec=3',
  ]
  writeFileSync(path, lines.join('\n'))
  const doctor = async (unit: string) => {
    const args = ['doctor', '--unit', unit, '--json']
    // The settings of this process are not used.
    const { code, stdout } = await installation.run(args, { env: { PORT: 'wrong' } }).ended
    const { checks } = JSON.parse(stdout) as { checks: { check: string; message: string }[] }
    const of = (check: string) => checks.filter((one) => one.check === check)
    return { code, of, messages: (check: string) => of(check).map(({ message }) => message) }
  }
  const found = await doctor(path)
  assert.equal(found.code, 1)
  assert.match(found.messages('Database')[0]!, /^PostgreSQL \d+/)
  assert.match(found.messages('Settings')[0]!, /^FLORIN_MODEL is not .* mean FLORIN_MODE\?$/)
  const problems = found.messages('Unit').join('\n')
  for (const problem of [
    /no user no-such-user/,
    /KillMode=mixed/,
    /TimeoutStopSec=/,
    /Restart=no/,
  ]) {
    assert.match(problems, problem)
  }
  const none = await doctor(join(folder, 'none.service'))
  assert.equal(none.code, 1)
  assert.match(none.messages('Unit')[0]!, /^There is no unit .* Copy deploy\/florin\.service to /)
})
