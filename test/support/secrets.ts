// Every password and token that a test uses is unique and written down, so that the last test of
// the run can look for each of them in all logs and in a dump of all databases.

import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { newSecret } from '../../src/primitives/secrets.ts'

/** Where this run keeps logs, dumps and the list of secrets; undefined for a file run by hand. */
export const run_path = process.env.FLORIN_TEST_RUN

export function runFolder(name: string): string | undefined {
  if (run_path === undefined) return undefined
  const path = join(run_path, name)
  mkdirSync(path, { recursive: true })
  return path
}

// These stand in the documentation, in the line that `florin start` prints to try, and in the
// examples of the OpenAPI file, which every test that reads it would note: no secrets.
const published = /^correct horse battery$|(example){3}/

export function recordSecret(secret: string): string {
  if (run_path !== undefined && secret.length >= 8 && !published.test(secret)) {
    appendFileSync(join(run_path, 'secrets.txt'), `${JSON.stringify(secret)}\n`)
  }
  return secret
}

export function newPassword(): string {
  return recordSecret(newSecret('pw-'))
}

const secretNames = new Set(['password', 'access_token', 'refresh_token', 'key', 'secret'])

/** Notes every secret in a request or an answer. */
export function recordSecretsIn(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && secretNames.has(name)) recordSecret(inner)
    else recordSecretsIn(inner)
  }
}
