// florin doctor --unit: the rules, on unit files with and without problems.

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { checkUnit } from '../../src/cli/serve/check-unit.ts'
import { findUnit, unitEnv } from '../../src/cli/serve/systemd-unit.ts'
import { readConfig } from '../../src/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'florin-unit-'))
after(() => rmSync(folder, { recursive: true }))

function write(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

const url_path = write('credentials/DATABASE_URL', 'postgres://florin:hunter22@db/florin\n')
const env_path = write('florin.env', "FLORIN_PROCESSOR='manual'\nPORT=4444\n", 0o644)

const good = {
  Type: 'notify',
  NotifyAccess: 'all',
  User: userInfo().username,
  WorkingDirectory: '/',
  ExecStart: `"${process.execPath}" bin/florin.mjs start`,
  EnvironmentFile: env_path,
  LoadCredential: `DATABASE_URL:${url_path}`,
  Restart: 'always',
  KillMode: 'mixed',
  TimeoutStopSec: '15',
  NoNewPrivileges: 'yes',
  ProtectSystem: 'strict',
}

const outside = { config: undefined, is_inside: false }

type Keys = Record<string, string | string[] | undefined>

/** The problems of a unit that differs from a good one in these keys. */
async function problemsOf(keys: Keys): Promise<string[]> {
  const lines = Object.entries({ ...good, ...keys }).flatMap(([key, value]) =>
    [value ?? []].flat().map((one) => `${key}=${one}`),
  )
  const path = write('test.service', `[Unit]\nDescription=x\n[Service]\n${lines.join('\n')}\n`)
  const unit = findUnit(path)!
  const found = await checkUnit(unit, { config: readConfig(unitEnv(unit)), is_inside: false })
  return (
    found
      .filter(({ state }) => state !== 'ok')
      .map(({ state, message }) => `${state}: ${message}`)
      // The tests may run as root.
      .filter((problem) => !problem.includes('Florin runs as root'))
  )
}

test('a good unit has no problems, and gives Florin its settings', async () => {
  assert.deepEqual(await problemsOf({}), [])
  const unit = findUnit(join(folder, 'test.service'))!
  assert.deepEqual(unitEnv(unit), {
    FLORIN_PROCESSOR: 'manual',
    PORT: '4444',
    DATABASE_URL_FILE: url_path,
  })
  const config = readConfig(unitEnv(unit))
  assert.equal(config.database_url, 'postgres://florin:hunter22@db/florin')
})

const no_database = { LoadCredential: undefined }

for (const [name, keys, expected] of [
  ['no ExecStart', { ExecStart: undefined }, /^fail: .* has no ExecStart=\.$/],
  ['a missing program', { ExecStart: '/none/node x' }, /^fail: ExecStart=: \/none\/node is not/],
  ['a relative program', { ExecStart: 'node x' }, /^fail: ExecStart=: node is not an executable/],
  ['a missing folder', { WorkingDirectory: '/none' }, /^fail: WorkingDirectory=: \/none does not/],
  ['a missing user', { User: 'no-such-user' }, /^fail: User=: there is no user no-such-user\. /],
  ['KillMode', { KillMode: undefined }, /^warn: KillMode=control-group stops the worker and /],
  ['KillMode=process', { KillMode: 'process' }, /^warn: KillMode=process leaves processes behind/],
  [
    'a short stop',
    { TimeoutStopSec: '5' },
    /^warn: TimeoutStopSec= must be at least 10 s.*got 5\.$/,
  ],
  ['a stop in ms', { TimeoutStopSec: '9s 500ms' }, /got 9s 500ms\.$/],
  ['TimeoutSec', { TimeoutStopSec: undefined, TimeoutSec: '2' }, /got 2\.$/],
  ['no restart', { Restart: undefined }, /^warn: Restart=no leaves Florin down after a crash\./],
  ['Type=forking', { Type: 'forking' }, /^fail: Type=forking does not fit/],
  ['NotifyAccess', { NotifyAccess: undefined }, /^fail: NotifyAccess=main ignores the child/],
  ['a missing file', { EnvironmentFile: '/none' }, /: EnvironmentFile=: .*\/none/],
  [
    'a missing secret',
    { LoadCredential: [good.LoadCredential, 'X:/none'] },
    /: LoadCredential=: .*\/none/,
  ],
  ['MemoryDenyWriteExecute', { MemoryDenyWriteExecute: 'true' }, /^fail: MemoryDenyWriteExecute/],
  ['no hardening', { NoNewPrivileges: 'no' }, /^warn: Without NoNewPrivileges=yes and /],
  ['read-only data', no_database, /^fail: ProtectSystem=strict makes \/.* read-only\. /],
] as [string, Keys, RegExp][]) {
  test(`finds a problem: ${name}`, async () => {
    const problems = await problemsOf(keys)
    assert.equal(problems.length, 1, problems.join('\n'))
    assert.match(problems[0]!, expected)
  })
}

test('accepts long and infinite stops, other types and optional files', async () => {
  const accepted: Keys[] = [
    { TimeoutStopSec: '1min 30s' },
    { TimeoutStopSec: 'infinity' },
    { TimeoutStopSec: undefined },
    { Type: 'exec', NotifyAccess: undefined },
    { Type: undefined, NotifyAccess: undefined },
    { Restart: 'on-failure' },
    { EnvironmentFile: '-/none' },
    { ExecStart: ['/none', '', good.ExecStart] },
    { ExecStart: `-${good.ExecStart}` },
    { User: 'made-up', DynamicUser: 'yes' },
  ]
  for (const keys of accepted) assert.deepEqual(await problemsOf(keys), [], JSON.stringify(keys))
})

test('the data directory may be in a directory that the unit may write to', async () => {
  const data = (path: string, keys: Keys) =>
    problemsOf({ ...no_database, Environment: `"FLORIN_DATA=${path}" 'A=b c'`, ...keys })
  assert.deepEqual(await data('/var/lib/florin', { StateDirectory: 'other florin' }), [])
  assert.deepEqual(await data('/var/lib/florin/db', { StateDirectory: 'florin' }), [])
  assert.deepEqual(await data('/srv/pay/data', { ReadWritePaths: '-/srv/pay' }), [])
  assert.equal((await data('/var/lib/florin2', { StateDirectory: 'florin' })).length, 1)
})

test('a port below 1024 needs a capability, except for root', async () => {
  const Environment = 'PORT=443'
  const keys = { Environment, EnvironmentFile: undefined, User: 'daemon' }
  const denied = /^fail: The user daemon may not listen on port 443\. Set AmbientCapabilities=/
  const port = async (more: Keys) =>
    (await problemsOf({ ...keys, ...more })).filter((one) => one.includes('port'))
  assert.match((await port({})).join(), denied)
  assert.deepEqual(await port({ AmbientCapabilities: 'CAP_NET_BIND_SERVICE' }), [])
})

test('secrets that other users can read are a problem', async () => {
  const open = write('open', 'x\n', 0o644)
  const leaky = write('leaky.env', 'FLORIN_SECRET_KEY=x\n', 0o644)
  const [first] = await problemsOf({ LoadCredential: [good.LoadCredential, `A:${open}`] })
  assert.equal(first, `warn: LoadCredential=: all users can read ${open}. Run: chmod 600 ${open}`)
  const secret = `DATABASE_URL=postgres://u:hunter22@h/d`
  const [second] = await problemsOf({ LoadCredential: undefined, Environment: secret })
  assert.match(second!, /^warn: Environment= contains DATABASE_URL, which systemctl shows/)
  assert.ok(!second!.includes('hunter22'))
  const unit = findUnit(write('leaky.service', `[Service]\nEnvironmentFile=${leaky}\n`))!
  const found = (await checkUnit(unit, outside)).map(({ message }) => message)
  assert.ok(
    found.includes(`EnvironmentFile=: all users can read ${leaky}. Run: chmod 600 ${leaky}`),
  )
})

test('finds units by name, with drop-ins, templates and precedence', () => {
  const etc = join(folder, 'etc')
  const lib = join(folder, 'lib')
  write('lib/florin.service', '[Service]\nUser=a\nRestart=no\nEnvironment=A=1\n')
  write('lib/florin.service.d/10-a.conf', '[Service]\nUser=b\n')
  write('etc/florin.service.d/10-a.conf', '[Service]\nUser=c\nEnvironment=B=%N:%n:%S:100%%\n')
  write('etc/florin.service.d/20-b.conf', '[Service]\nRestart=\n[Unit]\nUser=no\n')
  write('etc/florin@.service', '[Service]\nExecStart=/bin/florin \\\n  start\n')
  const unit = findUnit('florin', [etc, lib])!
  assert.deepEqual([unit.path, unit.drop_in_count], [join(lib, 'florin.service'), 2])
  assert.deepEqual([unit.last('User'), unit.last('Restart')], ['c', undefined])
  assert.deepEqual(unitEnv(unit), { A: '1', B: 'florin:florin.service:/var/lib:100%' })
  assert.equal(findUnit('florin@2.service', [etc, lib])!.last('ExecStart'), '/bin/florin    start')
  assert.equal(findUnit('other', [etc, lib]), undefined)
  assert.equal(findUnit(join(etc, 'none.service')), undefined)
})

// systemd has %d since version 251.
for (const folder of ['%d', '/run/credentials/%n']) {
  test(`a setting can point to a credential in ${folder}`, () => {
    const setting = `FLORIN_TLS_KEY=${folder}/cert`
    const text = `[Service]\nLoadCredential=cert:${url_path}\nEnvironment=${setting}\n`
    const unit = findUnit(write('credential.service', text))!
    assert.deepEqual(unitEnv(unit), { FLORIN_TLS_KEY: url_path })
  })
}

for (const name of ['florin', 'florin-worker']) {
  test(`deploy/${name}.service has no problems on a machine with its files`, async () => {
    const file = new URL(`../../deploy/${name}.service`, import.meta.url)
    const text = readFileSync(file, 'utf8')
      .replaceAll('/opt/florin/node_modules/.bin/node', `"${process.execPath}"`)
      .replaceAll('WorkingDirectory=/opt/florin', 'WorkingDirectory=/')
      .replaceAll('/etc/florin/florin.env', env_path)
      .replaceAll(/\/etc\/florin\/credentials\/\w+/g, url_path)
      .replaceAll('User=florin', `User=${userInfo().username}`)
    const unit = findUnit(write(`${name}.service`, text))!
    const found = await checkUnit(unit, outside)
    const problems = found.filter(
      ({ state, message }) => state !== 'ok' && !/as root/.test(message),
    )
    assert.deepEqual(problems, [])
  })
}
