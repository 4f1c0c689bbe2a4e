// Converts a logged request to a curl command. It names a shell variable instead of an API key, and
// leaves redacted values for the user to fill in.

import type { RequestLogEntry } from '../../api/api-types.ts'

interface CurlParts {
  origin: string
  /** The account that an admin or a platform acted on. */
  account: string | undefined
  /** A new key: the old one would return the stored response. */
  idempotency_key: string
}

export const redacted = '[redacted]'

/** The file for a body that the log holds only in part. */
export const body_file = 'body.json'

export function curlOf(entry: RequestLogEntry, parts: CurlParts): string {
  const { method, path } = entry
  // Without -g, curl expands brackets and braces in URLs.
  const glob = /[[\]{}]/.test(path) ? '-g ' : ''
  const verb = method === 'GET' ? '' : method === 'HEAD' ? '-I ' : `-X ${method} `
  const lines = [`curl ${glob}${verb}${quoted(parts.origin + path)}`]
  lines.push('-H "Authorization: Bearer $FLORIN_API_KEY"')
  if (parts.account !== undefined) lines.push(header('Florin-Account', parts.account))
  if (entry.idempotency_key) lines.push(header('Idempotency-Key', parts.idempotency_key))
  const body = bodyOf(entry)
  if (body !== undefined) {
    lines.push(header('Content-Type', 'application/json'), `-d ${quoted(body)}`)
  }
  return lines.join(' \\\n  ')
}

function header(name: string, value: string): string {
  return `-H ${quoted(`${name}: ${value}`)}`
}

function bodyOf({ request_body }: RequestLogEntry): string | undefined {
  if (request_body === null) return undefined
  return isCompleteJson(request_body) ? request_body : `@${body_file}`
}

/** False for a long body that the log truncated. */
export function isCompleteJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

/** Quotes text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Names of redacted fields, such as card.number, or "the URL". */
export function redactedFields({ path, request_body }: RequestLogEntry): string[] {
  const in_path = path.includes(redacted) ? ['the URL'] : []
  if (request_body === null || !isCompleteJson(request_body)) return in_path
  return [...in_path, ...fieldsIn(JSON.parse(request_body), '')]
}

function fieldsIn(value: unknown, name: string): string[] {
  if (typeof value === 'string') return value.includes(redacted) ? [name || 'the body'] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    fieldsIn(inner, name === '' ? key : `${name}.${key}`),
  )
}
