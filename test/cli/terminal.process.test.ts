// Output in a terminal, which `script` of util-linux provides.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { version } from '../../src/version.ts'
import { call } from '../support/call.ts'
import { startFlorin } from '../support/florin.ts'
import { newPassword, recordSecret } from '../support/secrets.ts'
import { enrollTotp, test_secret_key } from '../support/totp.ts'
import { Cli } from './cli.ts'
import { envOf, launcher, makeInstallation } from './florin-process.ts'

const script = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? ''
const needsScript = {
  skip: !script.includes('util-linux') && 'script of util-linux is not installed',
}

const florin = await startFlorin({ FLORIN_SECRET_KEY: test_secret_key })

test('banner, log and Ctrl-C', needsScript, async (t) => {
  // Registered before the installation, which removes its data once nothing uses it.
  t.after(closeTerminals)
  const installation = await makeInstallation(t)
  const env = { FLORIN_DATA: installation.data_path, FLORIN_MODO: 'x' }
  const terminal = openTerminal(['start'], env)
  const banner = await terminal.until(/Stop with Ctrl-C/)
  assert.match(banner, /^ {2}Florin \S+ {2}Sandbox/m)
  assert.ok(banner.includes(`Florin ${version} `))
  assert.match(banner, /^! FLORIN_MODO is not a Florin setting .* Did you mean FLORIN_MODE\?/m)
  const [, url] = /^ {2}API +(http:\/\/127\.0\.0\.1:\d+)$/m.exec(banner)!
  assert.match(banner, new RegExp(`^ {2}Docs +${url}/docs$`, 'm'))
  assert.match(banner, /^ {2}Database +embedded PostgreSQL 18\.\d+, created$/m)
  assert.match(banner, new RegExp(`^ {2}Data +${installation.data_path}$`, 'm'))
  assert.match(banner, new RegExp(`^ {2}Node +${process.versions.node}$`, 'm'))
  assert.match(banner, /^ {2}or run +npm run florin -- admin create$/m)
  assert.match(banner, /^ {2}or set +FLORIN_ADMIN_EMAIL and FLORIN_ADMIN_PASSWORD/m)
  assert.match(banner, new RegExp(`^ {2}curl ${url}/v1/accounts -H `, 'm'))
  assert.doesNotMatch(banner, /[\u2500-\u257f]|Server listening/, 'no boxes and no extra log line')

  await t.test('README shows the same banner', () => {
    const [, shown] = /```text\n( {2}Florin [^`]*)```/.exec(readFileSync('README.md', 'utf8'))!
    const seen = banner.replaceAll(url!, 'http://127.0.0.1:4000')
    const facts = seen.replace(installation.data_path, '/home/ann/florin/.florin').split('\n')
    const lines = shown!.trimEnd().split('\n')
    const first = facts.findIndex((line) => line.startsWith('  Florin '))
    assert.deepEqual(
      facts.slice(first, first + lines.length).map((line) => line.trimEnd()),
      lines,
    )
  })

  await t.test('the setup link opens a page', async () => {
    const link = /^ {2}open +(http\S+\/setup\/(\S+))$/m.exec(banner)!
    recordSecret(link[2]!)
    const page = await call(link[1]!, 'GET', '')
    assert.equal(page.status, 200)
    assert.match(page.text, /<form/)
  })

  await t.test('logs requests in readable form', async () => {
    await call(url!, 'GET', '/v1/users')
    await call(url!, 'GET', '/v1/nothing')
    const lines = await terminal.until(/^\d\d:\d\d:\d\d GET \(no such path\) 404 \d+ ms req_\w+$/m)
    assert.match(lines, /^\d\d:\d\d:\d\d GET \/v1\/users 401 \d+ ms req_\w+$/m)
  })

  terminal.type('\u0003')
  const { code, text } = await terminal.ended
  assert.match(text, /Stopping after requests in progress\./)
  assert.match(text, /^Stopped\.$/m)
  assert.equal(code, 0)

  await t.test('admin create prompts for a hidden password twice', async () => {
    const password = newPassword()
    const prompt = openTerminal(['admin', 'create'], env)
    await prompt.until(/Email of the new admin/)
    prompt.type('ann@example.com\r')
    await prompt.until(/Password/)
    prompt.type('short\r')
    await prompt.until(/Password must have at least 8 characters/)
    prompt.type(`${password}\r`)
    await prompt.until(/Confirm password/)
    prompt.type('another one\r')
    await prompt.until(/The passwords do not match/)
    prompt.type(`${password}\r`)
    const { code, text } = await prompt.ended
    assert.match(text, /✓ Created admin ann@example\.com/)
    assert.ok(!text.includes(password), 'the password was shown')
    assert.equal(code, 0)
  })

  await t.test('prints no setup link if an admin exists, and no colors with NO_COLOR', async () => {
    const plain = openTerminal(['start', '--no-worker'], { ...env, NO_COLOR: '1' })
    const banner = await plain.until(/Stop with Ctrl-C/)
    assert.doesNotMatch(banner, /setup|There is no admin/)
    assert.doesNotMatch(plain.raw(), /\u001b\[\d+m/)
    plain.type('\u0003')
    assert.equal((await plain.ended).code, 0)
  })
})

test('a failure is one line with a symbol', needsScript, async (t) => {
  t.after(closeTerminals)
  const { code, text } = await openTerminal(['start'], { PORT: 'x' }).ended
  assert.equal(code, 1)
  assert.equal(text, '✗ PORT must be a whole number from 0 to 65535; got "x".\n')
})

test('login prompts once, and responses are indented and colored', needsScript, async (t) => {
  t.after(closeTerminals)
  const owner = await florin.people.owner()
  const cli = new Cli(florin.url)
  const env = { FLORIN_SERVER: florin.url, XDG_CONFIG_HOME: cli.config_home }
  const prompt = openTerminal(['login'], env)
  await prompt.until(/Email/)
  prompt.type(`${owner.email}\r`)
  await prompt.until(/Password/)
  prompt.type(`${owner.password}\r`)
  const login = await prompt.ended
  assert.equal(login.code, 0)
  assert.match(login.text, /✓ Logged in at /)
  assert.ok(!login.text.includes(owner.password), 'the password was shown')

  const shown = openTerminal(['get', '/v1/account'], env)
  const { code, text } = await shown.ended
  assert.equal(code, 0)
  assert.match(text, new RegExp(`^{\n  "id": "${owner.account_id}",\n`))
  assert.match(text, /^ {2}"settings": {\n {4}"currency": "USD",$/m)
  assert.match(shown.raw(), /\u001b\[\d+m"id"/)
  const plain = openTerminal(['get', '/v1/account'], { ...env, NO_COLOR: '1' })
  assert.equal((await plain.ended).text, text)
  assert.doesNotMatch(plain.raw(), /\u001b\[\d+m/)
  const raw = openTerminal(['get', '/v1/account', '--json'], env)
  assert.equal((await raw.ended).text.trim().split('\n').length, 1)
})

test('login prompts for the code of a second factor after the password', needsScript, async (t) => {
  t.after(closeTerminals)
  const owner = await florin.people.owner()
  const { recovery_codes } = await enrollTotp(florin.call, owner)
  const cli = new Cli(florin.url)
  const env = { FLORIN_SERVER: florin.url, XDG_CONFIG_HOME: cli.config_home }
  const prompt = openTerminal(['login', '--email', owner.email], env)
  await prompt.until(/Password/)
  prompt.type(`${owner.password}\r`)
  await prompt.until(/Code of the authenticator app/)
  prompt.type(`${recovery_codes[0]}\r`)
  const { code, text } = await prompt.ended
  assert.equal(code, 0, text)
  assert.match(text, /✓ Logged in at /)
})

test('an import shows its progress, then the result in its place', needsScript, async (t) => {
  t.after(closeTerminals)
  const cli = new Cli(florin.url)
  await cli.logIn(await florin.people.owner())
  const file = join(cli.config_home, 'transactions.csv')
  const rows = Array.from({ length: 150 }, () => '100,USD,payment')
  writeFileSync(file, ['amount,currency,type', ...rows].join('\n'))
  const env = { FLORIN_SERVER: florin.url, XDG_CONFIG_HOME: cli.config_home }
  const shown = openTerminal(['import', 'transactions', file], env)
  const { code, text } = await shown.ended
  assert.equal(code, 0, text)
  assert.match(text, /^ {2}Importing ░+ {3}0 % {2}0 of 150 transactions/)
  assert.match(text, / {2}Importing █+ 100 % {2}150 of 150 transactions✓ Created 150/)
  assert.match(shown.raw(), /150 transactions\S*\r\u001b\[2K\S*✓/)
})

interface Terminal {
  /** Waits for a match and returns all output so far, without colors. */
  until(pattern: RegExp): Promise<string>
  raw(): string
  type(keys: string): void
  ended: Promise<{ code: number; text: string }>
}

const open = new Set<ChildProcess>()

/** Kills what a failed test left: `script`, and Florin, which would survive it. */
function closeTerminals(): void {
  for (const { pid } of open) {
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    for (const child of [...children.stdout.trim().split(/\s+/).filter(Boolean), pid]) {
      process.kill(Number(child), 'SIGKILL')
    }
  }
}

function openTerminal(args: string[], env: Record<string, string>): Terminal {
  const florin = [process.execPath, launcher, ...args].map((part) => `'${part}'`).join(' ')
  // The size prevents line breaks; `exec` makes signals reach Florin instead of the shell.
  const command = `stty cols 250 rows 50 && exec ${florin}`
  // A terminal with colors, independent of the environment of the test run.
  const terminal_env = { TERM: 'xterm-256color', CI: undefined, TEAMCITY_VERSION: undefined }
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: envOf({ ...terminal_env, ...env }),
  })
  let raw = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    raw += text
  })
  const seen = () => stripVTControlCharacters(raw).replaceAll('\r\n', '\n').replaceAll('\r', '')
  open.add(child)
  const ended = once(child, 'close').then(([code]) => {
    open.delete(child)
    return { code: code as number, text: seen() }
  })
  return {
    ended,
    raw: () => raw,
    type: (keys) => void child.stdin.write(keys),
    async until(pattern) {
      const deadline_ms = Date.now() + 30_000
      while (!pattern.test(seen())) {
        if (Date.now() > deadline_ms || child.exitCode !== null) {
          throw new Error(`no ${pattern} in:\n${seen()}`)
        }
        await Promise.race([once(child.stdout, 'data'), ended])
      }
      return seen()
    },
  }
}
