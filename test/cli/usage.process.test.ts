import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { version } from '../../src/version.ts'
import { runToEnd } from './florin-process.ts'

const commands = [
  'start',
  'worker',
  'migrate',
  'distribute',
  'admin create',
  'clock advance',
  'verify',
  'reconcile',
  'backup',
  'restore',
  'seed',
  'status',
  'health',
  'doctor',
  'mcp',
  'login',
  'logout',
  'get',
  'post',
  'patch',
  'delete',
  'listen',
  'trigger',
  'import transactions',
  'import statement',
  'logs tail',
  'events tail',
  'open',
  'completion',
]

test('every command has --help and --json', async () => {
  const responses = await Promise.all(
    commands.map((name) => runToEnd([...name.split(' '), '--help'])),
  )
  for (const [at, { code, stdout, stderr }] of responses.entries()) {
    assert.equal(code, 0)
    assert.equal(stderr, '')
    assert.match(stdout, new RegExp(`^Usage: florin ${commands[at]} `))
    assert.match(stdout, /--json/)
    if (!stdout.includes('--server')) continue
    assert.match(
      stdout.replaceAll(/\s+/g, ' '),
      /default: FLORIN_SERVER, or the server of the last login/,
    )
  }
})

test('--help lists every command, and --version prints the version', async () => {
  const [help, printed] = await Promise.all([runToEnd(['--help']), runToEnd(['--version'])])
  // Compares both ways: the help and the list above contain the same commands.
  const listed = help.stdout.split('Commands:')[1]!.matchAll(/^ {2}(\w+)/gm)
  const known = new Set(commands.map((name) => name.split(' ')[0]))
  assert.deepEqual(new Set(listed.map(([, name]) => name)), known.add('help'))
  assert.equal(help.code, 0)
  assert.equal(printed.stdout, `${version}\n`)
})

test('prints help and exits with 64 if the command is missing', async () => {
  const cases = [[], ['admin'], ['clock'], ['logs'], ['events']]
  // Without an external database, a missing command means "start".
  const env = { DATABASE_URL: 'postgres://localhost/florin' }
  const ends = await Promise.all(cases.map((args) => runToEnd(args, { env })))
  for (const { code, stdout, stderr } of ends) {
    assert.equal(code, 64)
    assert.equal(stdout, '')
    assert.match(stderr, /^Usage: florin/)
  }
})

test('suggests the closest name for a misspelled command or option', async () => {
  const cases: [string[], RegExp][] = [
    [['strat'], /^Unknown command 'strat'\. Did you mean start\? See florin --help\.\n$/],
    [['start', '--no-wroker'], /^Unknown option '--no-wroker'\. Did you mean --no-worker\?/],
    [['admin', 'craete'], /^Unknown command 'craete'\. Did you mean create\?/],
    [['admin', 'create', '--role', 'owner'], /Allowed choices are admin, platform\./],
    [['trigger', 'payment.suceeded'], /^Unknown event type .* Did you mean payment\.succeeded\?/],
    [['open', 'dosc'], /^Unknown page "dosc"\. Did you mean docs\?/],
    [
      ['listen'],
      /^Required option '--forward-to <url>' not specified\. See florin listen --help\.\n$/,
    ],
    [['clock', 'advance'], /^Missing .* 'time'\. See florin clock advance --help\.\n$/],
    [['logs', 'tail', '--last', 'x'], /It must be a whole number\./],
    [['completion', 'tcsh'], /Allowed choices are bash, zsh, fish\./],
    [['status', 'now'], /^Too many arguments for 'status'\./],
  ]
  const ended = await Promise.all(cases.map(([args]) => runToEnd(args)))
  for (const [at, { code, stdout, stderr }] of ended.entries()) {
    assert.equal(code, 64)
    assert.equal(stdout, '')
    assert.match(stderr, cases[at]![1])
  }
})

test('--json prints a failure as one line of JSON', async () => {
  const wrong = await runToEnd(['start', '--json', '--prot'])
  assert.equal(wrong.code, 64)
  assert.equal(JSON.parse(wrong.stderr).error, 'usage_error')
  const bad = await runToEnd(['start', '--json'], { env: { PORT: 'eighty' } })
  assert.equal(bad.code, 1)
  assert.equal(bad.stdout, '')
  const { error, message } = JSON.parse(bad.stderr)
  assert.equal(error, 'config_error')
  assert.match(message, /^PORT must be a whole number from 0 to 65535; got "eighty"\.$/)
})

test('reports all invalid settings together, without a stack trace', async () => {
  const env = { PORT: '70000', FLORIN_MODE: 'prod', DATABASE_URL: 'mysql://u:hunter22@h/d' }
  const { code, stderr } = await runToEnd(['start'], { env })
  assert.equal(code, 1)
  const lines = stderr.trimEnd().split('\n')
  assert.equal(lines.length, 3)
  assert.match(stderr, /^FLORIN_MODE must be "sandbox" or "live"; got "prod"\.$/m)
  assert.match(stderr, /^PORT must be/m)
  assert.match(stderr, /^DATABASE_URL must look like postgres:/m)
  assert.doesNotMatch(stderr, /hunter22|at .*\.ts/)
})

test('reports a stray line ending in a setting, and never prints a password', async () => {
  const env = {
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d',
    FLORIN_ADMIN_EMAIL: 'ann@example.com',
    FLORIN_ADMIN_PASSWORD: 'correct horse battery\r',
    FLORIN_PUBLIC_URL: 'https://pay.example.com\r',
  }
  const { code, stderr } = await runToEnd(['start'], { env })
  assert.equal(code, 1)
  assert.equal(
    stderr,
    'FLORIN_ADMIN_PASSWORD must be one line of at most 128 characters.\n' +
      'FLORIN_PUBLIC_URL must be an http or https URL such as https://pay.example.com, ' +
      'without spaces; got "https://pay.example.com\\r".\n',
  )
})

test('rejects spaces in the public URL, and accepts them in a password', () => {
  for (const FLORIN_PUBLIC_URL of ['https://a.example ', ' https://a.example', 'https://a\t.b']) {
    assert.throws(() => readConfig({ FLORIN_PUBLIC_URL }), /FLORIN_PUBLIC_URL must be .* spaces/)
  }
  const address = { FLORIN_PUBLIC_URL: 'https://a.example/shop/' }
  assert.equal(readConfig(address).public_url, 'https://a.example/shop')
  const admin = { FLORIN_ADMIN_EMAIL: 'ann@example.com' }
  const fine = { ...admin, FLORIN_ADMIN_PASSWORD: `${'é'.repeat(127)} ` }
  assert.equal(readConfig(fine).admin?.password, fine.FLORIN_ADMIN_PASSWORD)
  const apart = { ...admin, FLORIN_ADMIN_PASSWORD: 'e\u0301'.repeat(128) }
  assert.equal(readConfig(apart).admin?.password, apart.FLORIN_ADMIN_PASSWORD)
  for (const FLORIN_ADMIN_PASSWORD of ['é'.repeat(129), '\ufdfa'.repeat(8)]) {
    const long = { ...admin, FLORIN_ADMIN_PASSWORD }
    assert.throws(() => readConfig(long), /^ConfigError: FLORIN_ADMIN_PASSWORD must be .* 128/)
  }
})

test('live mode reports all missing settings', async () => {
  const { code, stderr } = await runToEnd(['start'], { env: { FLORIN_MODE: 'live' } })
  assert.equal(code, 1)
  for (const name of ['DATABASE_URL', 'FLORIN_PUBLIC_URL', 'FLORIN_PROCESSOR']) {
    assert.match(stderr, new RegExp(`^FLORIN_MODE=live requires .*${name}`, 'm'))
  }
})

test('live mode requires FLORIN_PUBLIC_URL, also when Florin terminates TLS', async () => {
  const env = {
    FLORIN_MODE: 'live',
    DATABASE_URL: 'postgres://u:p@127.0.0.1:1/d',
    FLORIN_PROCESSOR: 'manual',
    FLORIN_TLS_CERT: '/nowhere/cert.pem',
    FLORIN_TLS_KEY: '/nowhere/key.pem',
  }
  const sentence =
    'FLORIN_MODE=live requires FLORIN_PUBLIC_URL: set it to the https URL that customers open.'
  for (const FLORIN_PUBLIC_URL of ['', 'http://pay.example.com']) {
    const { code, stderr } = await runToEnd(['start'], { env: { ...env, FLORIN_PUBLIC_URL } })
    assert.equal(code, 1)
    assert.equal(stderr, `${sentence}\n`)
  }
  const { stdout } = await runToEnd(['doctor', '--json'], { env })
  const { ok, checks } = JSON.parse(stdout)
  assert.equal(ok, false)
  assert.deepEqual(checks.at(-1), { check: 'Settings', state: 'fail', message: sentence })
})

test('reports an unreachable database with the next step, without its password', async () => {
  const cases: [string, RegExp][] = [
    ['postgres://u:hunter22@127.0.0.1:1/d', /^No server is listening at 127\.0\.0\.1:1\. Start/],
    ['postgres://u:hunter22@nowhere.invalid/d', /nowhere\.invalid.* DATABASE_URL\.$/m],
  ]
  for (const [DATABASE_URL, sentence] of cases) {
    const env = { DATABASE_URL }
    const commands = ['start', 'worker', 'migrate'].map((command) => runToEnd([command], { env }))
    for (const { code, stderr, stdout } of await Promise.all(commands)) {
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.match(stderr, sentence)
      assert.doesNotMatch(stderr, /hunter22|at .*\.ts/)
    }
  }
})
