// The guide to going live, typed in as it stands against a live Florin: the settings of the guide,
// with a durable PostgreSQL and a mail server of this machine in place of those it names.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig, settingNames } from '../../src/config.ts'
import { findRunningEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { FlorinProcess, makeInstallation } from '../commands/florin-process.ts'
import { toUrl } from '../commands/shared-database.ts'
import { findFreePort } from '../support/free-port.ts'
import { ask } from '../support/postgres.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { runGuide, type Step } from './run-guide.ts'

const path = 'docs/guides/go-live.md'
const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** As a shell reads them that is told to, in the words of the page. */
function settingsOf(page: string): Record<string, string> {
  const [, block] = /^```ini\n([\s\S]*?)^```$/m.exec(page)!
  const [, reading] = /^\$ (set -a; \. \.\/florin\.env; set \+a)$/m.exec(page)!
  const cwd = mkdtempSync(join(tmpdir(), 'florin-settings-'))
  try {
    writeFileSync(join(cwd, 'florin.env'), block!)
    const script = `${reading}; '${process.execPath}' -p 'JSON.stringify(process.env)'`
    const printed = execFileSync('sh', ['-c', script], { cwd, env: { PATH: process.env.PATH } })
    const all = Object.entries<string>(JSON.parse(printed.toString()))
    return Object.fromEntries(all.filter(([name]) => /^(FLORIN_|DATABASE_URL)/.test(name)))
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

test('the settings of the guide are settings, and make a live Florin', () => {
  const settings = settingsOf(text)
  assert.equal(Object.keys(settings).length, 8)
  assert.equal(settings.FLORIN_EMAIL_FROM, 'Acme Payments <pay@example.com>')
  const config = readConfig(settings)
  assert.deepEqual([config.mode, config.processor, config.signup], ['live', 'manual', 'closed'])
  assert.equal(config.password_min, 15)
  for (const name of text.match(/\bFLORIN_[A-Z_]+\b/g)!) {
    assert.ok((settingNames as readonly string[]).includes(name), `${name} is no setting`)
  }
})

test('the guide to going live is true to the last field', async (t) => {
  const place = await makeInstallation(t)
  // The embedded server of a sandbox keeps what it acknowledges; the live one is another database.
  const sandbox = await place.start()
  const embedded = (await findRunningEmbedded(place.data_path))!
  const { pid, ...connection } = embedded
  assert.ok(pid > 0)
  await ask(connection, 'create database live')
  const mail = await startSmtpServer()
  t.after(() => mail.stop())
  const port = await findFreePort()
  const env = {
    ...settingsOf(text),
    DATABASE_URL: toUrl(connection, 'live'),
    FLORIN_SMTP_URL: mail.url,
    PORT: String(port),
  }
  // What stands before the start is done before it: the database is empty then.
  const start = text.slice(0, text.indexOf('\n## Start\n')).split('\n').length
  const before = { url: 'http://127.0.0.1:4000', env, only: ({ line }: Step) => line < start }
  assert.ok((await runGuide(path, before)) > 0)
  const florin = new FlorinProcess(['start'], { env })
  t.after(() => florin.stop('SIGKILL'))
  const { url, mode } = await florin.line('florin is ready')
  assert.equal(mode, 'live')
  assert.ok((await runGuide(path, { url, env, only: ({ line }) => line > start })) > 0)
  assert.equal((await florin.stop()).code, 0)
  assert.equal((await sandbox.florin.stop()).code, 0)
})
