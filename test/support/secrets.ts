// Every password and token in a test is unique. A run with `--evidence` records them, and its last
// test searches for each of them in all logs and in a dump of all databases.

import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { newSecret } from '../../src/primitives/secrets.ts'

/** The folder for logs, dumps and the list of secrets; undefined if nothing is recorded. */
export const evidence_path = process.env.FLORIN_TEST_EVIDENCE

export function runFolder(name: string): string | undefined {
  if (evidence_path === undefined) return undefined
  const path = join(evidence_path, name)
  mkdirSync(path, { recursive: true })
  return path
}

// These are public: they appear in the documentation, in the example of `florin start`, and
// in the OpenAPI examples, which any test that reads the document would record.
const published = /^correct horse battery$|(example){3}/

export function recordSecret(secret: string): string {
  if (evidence_path !== undefined && secret.length >= 8 && !published.test(secret)) {
    appendFileSync(join(evidence_path, 'secrets.txt'), `${JSON.stringify(secret)}\n`)
  }
  return secret
}

export function newPassword(): string {
  return recordSecret(newSecret('pw-'))
}

const secretNames = new Set(['password', 'access_token', 'refresh_token', 'key', 'secret'])

/** Records every secret in a request or a response. */
export function recordSecretsIn(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && secretNames.has(name)) recordSecret(inner)
    else if (name === 'recovery_codes' && Array.isArray(inner)) inner.forEach(recordSecret)
    else recordSecretsIn(inner)
  }
}
