// Runs the go-live guide as written against a live Florin with the guide's settings, but with a
// local PostgreSQL and mail server.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig, settingNames } from '../../src/config.ts'
import { findRunningEmbedded } from '../../src/embedded-postgres/open-embedded.ts'
import { FlorinProcess } from '../cli/florin-process.ts'
import { toUrl } from '../cli/shared-database.ts'
import { makeUsedInstallation } from '../cli/used-data-folder.ts'
import { findFreePort } from '../support/free-port.ts'
import { ask } from '../support/postgres.ts'
import { startSmtpServer } from '../support/smtp-server.ts'
import { type GuideStep, runGuide } from './run-guide.ts'

const path = 'docs/guides/go-live.md'
const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Reads the guide's settings with the shell command that the guide shows. */
function settingsOf(page: string): Record<string, string> {
  const [, block] = /^```ini\n([\s\S]*?)^```$/m.exec(page)!
  const [, command] = /^\$ (set -a; \. \.\/florin\.env; set \+a)$/m.exec(page)!
  const cwd = mkdtempSync(join(tmpdir(), 'florin-settings-'))
  try {
    writeFileSync(join(cwd, 'florin.env'), block!)
    const script = `${command}; '${process.execPath}' -p 'JSON.stringify(process.env)'`
    const printed = execFileSync('sh', ['-c', script], { cwd, env: { PATH: process.env.PATH } })
    const all = Object.entries<string>(JSON.parse(printed.toString()))
    return Object.fromEntries(all.filter(([name]) => /^(FLORIN_|DATABASE_URL)/.test(name)))
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

test("the guide's settings exist and make a valid live configuration", () => {
  const settings = settingsOf(text)
  assert.equal(Object.keys(settings).length, 8)
  assert.equal(settings.FLORIN_EMAIL_FROM, 'Acme Payments <pay@example.com>')
  const config = readConfig(settings)
  assert.deepEqual([config.mode, config.signup], ['live', 'closed'])
  assert.deepEqual(config.processors, ['manual'])
  assert.equal(config.password_min, 15)
  for (const name of text.match(/\bFLORIN_[A-Z_]+\b/g)!) {
    assert.ok((settingNames as readonly string[]).includes(name), `${name} is not a setting`)
  }
})

test('every command of the go-live guide prints what the guide shows', async (t) => {
  const installation = await makeUsedInstallation(t)
  // The sandbox's embedded server also hosts the separate live database.
  const sandbox = await installation.start()
  const embedded = (await findRunningEmbedded(installation.data_path))!
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
  // Steps before "Start" run first, on the empty database.
  const start = text.slice(0, text.indexOf('\n## Start\n')).split('\n').length
  const before = { url: 'http://127.0.0.1:4000', env, only: ({ line }: GuideStep) => line < start }
  assert.ok((await runGuide(path, before)) > 0)
  const florin = new FlorinProcess(['start'], { env })
  t.after(() => florin.stop('SIGKILL'))
  const { url, mode } = await florin.line('florin is ready')
  assert.equal(mode, 'live')
  assert.ok((await runGuide(path, { url, env, only: ({ line }) => line > start })) > 0)
  assert.equal((await florin.stop()).code, 0)
  assert.equal((await sandbox.florin.stop()).code, 0)
})
