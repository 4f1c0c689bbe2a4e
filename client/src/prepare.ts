// Builds a request once, so that every attempt sends the same body and Idempotency-Key.

import type { Call, Options } from './call.ts'

export interface PreparedRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | null
  takes_token: boolean
  /** The session of the first attempt. Retries never use another session or none. */
  session: number | undefined
  /** Whether the request is idempotent, so that it can be retried. */
  is_repeatable: boolean
}

interface ClientContext {
  base_url: string
  account: string | undefined
  /**
   * Undefined for an unauthenticated client. Florin stores responses only for authenticated
   * callers, so without a session an Idempotency-Key has no effect.
   */
  session: number | undefined
}

export function prepare(call: Call, options: Options, context: ClientContext): PreparedRequest {
  const keyed = call.takes_idempotency_key === true && context.session !== undefined
  const account = call.takes_account ? (options.account ?? context.account) : undefined
  return {
    url: `${context.base_url}${call.path}${printQuery(rejectUnknown(call))}`,
    method: call.method,
    headers: {
      accept: acceptOf(call),
      ...(account === undefined ? {} : { 'florin-account': account }),
      ...(keyed ? { 'idempotency-key': options.idempotency_key ?? newKey() } : {}),
      ...contentType(call),
    },
    body: call.body === undefined ? null : JSON.stringify(call.body, rejectHiddenNull),
    takes_token: call.takes_token === true,
    session: context.session,
    is_repeatable: call.retryable !== false && (call.method === 'GET' || keyed),
  }
}

/** Errors are JSON. */
function acceptOf({ accept }: Call): string {
  return accept === undefined ? 'application/json' : `${accept}, application/json`
}

function contentType(call: Call): Record<string, string> {
  if ('file' in call) return { 'content-type': 'application/octet-stream' }
  return call.body === undefined ? {} : { 'content-type': 'application/json' }
}

/**
 * JSON.stringify writes NaN and Infinity as null, and in metadata null deletes a key. The toJSON of
 * an invalid date returns null before the replacer runs, so this reads the original from `this`.
 */
function rejectHiddenNull(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const original = this[name]
  const is_number = typeof value === 'number' || value instanceof Number
  const is_hidden = is_number
    ? !Number.isFinite(Number(value))
    : value === null && original !== null
  if (!is_hidden) return value
  throw new TypeError(`"${name}" is ${original}, which JSON would send as null. Nothing was sent.`)
}

/** Some endpoints ignore unknown parameters, so a misspelled filter would list everything. */
function rejectUnknown({ method, path, query = {}, query_names }: Call): object {
  const unknown = Object.keys(query).find((name) => query_names?.includes(name) === false)
  if (unknown === undefined) return query
  throw new TypeError(
    `"${unknown}" is not a query parameter of ${method} ${path}. ` +
      `Allowed: ${query_names!.join(', ')}. Nothing was sent.`,
  )
}

function printQuery(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return ''
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

/** 128 random bits. Not randomUUID, which browsers provide only on https pages. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
