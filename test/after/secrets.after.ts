// Runs last: no password, token or key of the whole run may appear in a log or a database, in any
// encoding.

import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SecretSearch } from '../support/find-secrets.ts'
import { evidence_path } from '../support/secrets.ts'

const options = {
  skip: evidence_path === undefined && 'needs a complete run: use npm test -- --evidence',
}
const secrets = evidence_path === undefined ? [] : readSecrets(join(evidence_path, 'secrets.txt'))

function readSecrets(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return [...new Set(lines.map((line) => JSON.parse(line) as string))]
}

function readFolder(folder: string): [file: string, text: string][] {
  return readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')])
}

function countLines(folder: string): number {
  return readFolder(folder).reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0)
}

test('the run recorded enough secrets, log lines and rows', options, () => {
  assert.ok(secrets.length >= 50, `only ${secrets.length} secrets were recorded`)
  const logs = countLines(join(evidence_path!, 'logs'))
  assert.ok(logs >= 1_000, `only ${logs} lines were logged`)
  const dumps = readdirSync(join(evidence_path!, 'dumps')).length
  assert.ok(dumps >= 5, `only ${dumps} databases were dumped`)
  const rows = countLines(join(evidence_path!, 'dumps'))
  assert.ok(rows >= 500, `only ${rows} rows were dumped`)
})

const search = new SecretSearch(secrets)

for (const folder of ['logs', 'dumps']) {
  test(`no secret appears in the ${folder}`, options, () => {
    for (const [file, text] of readFolder(join(evidence_path!, folder))) {
      const found = search.find(text)
      // Reported without the secret itself, because a build server may store this output.
      const matches = found.map(({ form, at }) => `${form} at ${at}: ${contextOf(text, at)}`)
      assert.deepEqual(matches, [], `${folder}/${file}`)
    }
  })
}

function contextOf(text: string, at: number): string {
  const line_start = text.lastIndexOf('\n', at) + 1
  return `…${text.slice(Math.max(line_start, at - 80), at)}[here]`
}

// Each encoding with surrounding text, as a program would write it.
const plants: Record<string, (secret: string) => string> = {
  plain: (secret) => `password=${secret} `,
  JSON: (secret) => JSON.stringify({ password: secret }),
  'JSON in JSON': (secret) => JSON.stringify({ body: JSON.stringify({ password: secret }) }),
  'form-encoded': (secret) => new URLSearchParams({ password: secret }).toString(),
  bytea: (secret) => `\\x00${Buffer.from(secret).toString('hex')}ff`,
  'uppercase hexadecimal': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  Basic: (secret) => Buffer.from(`ann@example.com:${secret}`).toString('base64'),
  'base64, one byte later': (secret) =>
    Buffer.from(`ann@example.com: ${secret}!`).toString('base64'),
  base64url: (secret) => Buffer.from(`{"token":"${secret}"}`).toString('base64url'),
}

test('the search finds a planted secret in every encoding', options, () => {
  const copy = mkdtempSync(join(tmpdir(), 'florin-planted-'))
  after(() => rmSync(copy, { recursive: true, force: true }))
  const [secret] = secrets
  for (const folder of ['logs', 'dumps']) {
    cpSync(join(evidence_path!, folder), join(copy, folder), { recursive: true })
    const path = join(copy, folder, readdirSync(join(copy, folder))[0]!)
    const text = readFileSync(path, 'latin1')
    const middle = Math.floor(text.length / 2)
    for (const [form, plant] of Object.entries(plants)) {
      writeFileSync(path, text.slice(0, middle) + plant(secret!) + text.slice(middle), 'latin1')
      const found = search.find(readFileSync(path, 'latin1'))
      assert.equal(found.length, 1, `${form} in ${folder}: ${JSON.stringify(found)}`)
    }
  }
})

test('the search finds a secret with characters that some encodings escape', () => {
  const secret = 'a "quote", a \\ and a plus + per cent % é'
  for (const [form, plant] of Object.entries(plants)) {
    const written = Buffer.from(plant(secret)).toString('latin1')
    assert.equal(new SecretSearch([secret]).find(written).length > 0, true, form)
    assert.deepEqual(new SecretSearch(['something else']).find(written), [], form)
  }
})
