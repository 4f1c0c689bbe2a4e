// Secrets in files: containers and systemd pass them this way, because the environment of a process
// is shown by `docker inspect`, `systemctl show` and crash reports. A secret setting X is the
// content of the file that X_FILE names, or of the systemd credential with the name X.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

/** Settings that contain a password or a key. FLORIN_TLS_KEY is the path of a file already. */
export const secretNames = [
  'DATABASE_URL',
  'FLORIN_ADMIN_PASSWORD',
  'FLORIN_STRIPE_SECRET_KEY',
  'FLORIN_STRIPE_WEBHOOK_SECRET',
  'FLORIN_MOLLIE_API_KEY',
  'FLORIN_MOLLIE_ACCESS_TOKEN',
  'FLORIN_SMTP_URL',
  'FLORIN_SECRET_KEY',
  'FLORIN_OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

type Env = Record<string, string | undefined>

interface SecretFiles {
  /** Settings that were read from a file. */
  values: Env
  faults: string[]
}

export function readSecretFiles(env: Env, names: readonly string[]): SecretFiles {
  const values: Env = {}
  const faults: string[] = []
  for (const name of names) {
    const sources = sourcesOf(env, name)
    const [first, second] = sources
    if (second !== undefined) {
      faults.push(`${first!.label} and ${second.label} are both set. Remove one of them.`)
    } else if (first?.path !== undefined) {
      const read = readSecret(first.label, first.path)
      if ('fault' in read) faults.push(read.fault)
      else values[name] = read.value
    }
  }
  return { values, faults }
}

interface Source {
  /** How error messages name it. */
  label: string
  /** Undefined if the value itself is in the environment. */
  path: string | undefined
}

function sourcesOf(env: Env, name: string): Source[] {
  const isSet = (key: string) => (env[key] ?? '').trim() !== ''
  const folder = env.CREDENTIALS_DIRECTORY
  const credential = folder ? join(folder, name) : undefined
  const sources: Source[] = []
  if (isSet(name)) sources.push({ label: name, path: undefined })
  if (isSet(`${name}_FILE`)) sources.push({ label: `${name}_FILE`, path: env[`${name}_FILE`]! })
  if (credential !== undefined && existsSync(credential)) {
    sources.push({ label: `$CREDENTIALS_DIRECTORY/${name}`, path: credential })
  }
  return sources
}

// A wrong path, such as that of a disk image, must not fill the memory.
const bytes_max = 65_536

function readSecret(label: string, path: string): { value: string } | { fault: string } {
  const file = `${label} names ${describePath(path)}`
  try {
    const info = statSync(path)
    if (!info.isFile() && !info.isFIFO()) return { fault: `${file}, which is not a file.` }
    if (info.size > bytes_max) {
      return { fault: `${file}, which has more than ${bytes_max} bytes.` }
    }
    // Editors and echo end a file with a line break, which is not part of the secret.
    const value = readFileSync(path, 'utf8').replace(/[\r\n]+$/, '')
    if (value.trim() !== '') return { value }
    return { fault: `${file}, which is empty. Write the secret into it.` }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    const advice = 'Fix the path, and let the user that Florin runs as read the file.'
    return { fault: `${file}, which ${reason}. ${advice}` }
  }
}

// A setting may contain the secret itself by mistake. It is echoed only if it is surely a path.
function describePath(path: string): string {
  const folder = dirname(path)
  const is_path = isAbsolute(path) && folder !== '/' && existsSync(folder)
  return is_path ? path : 'a file'
}
