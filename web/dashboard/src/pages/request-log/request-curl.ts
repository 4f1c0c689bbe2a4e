// A request of the log as a command that can be run again. The key is a name, never a real one, and
// what the log took out is left as it stands there, to be filled in.

import type { RequestLogEntry } from '../../api/api-types.ts'

export interface CurlParts {
  origin: string
  /** Whom an admin or a platform acted for. */
  account: string | undefined
  /** A new one: with the old one the old answer would come again. */
  idempotency_key: string
}

export const redacted = '[redacted]'

/** Where the body goes that the log does not hold, or not whole. */
export const body_file = 'body.json'

export function curlOf(entry: RequestLogEntry, parts: CurlParts): string {
  const { method, path } = entry
  // Brackets would be read as a pattern of many addresses.
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

/** The log cuts a long body in the middle of its JSON. */
export function isCompleteJson(body: string): boolean {
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}

/** For a shell: nothing in it means anything but itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The names of what was taken out, such as card.number, and "the address". */
export function redactedFields({ path, request_body }: RequestLogEntry): string[] {
  const in_path = path.includes(redacted) ? ['the address'] : []
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
