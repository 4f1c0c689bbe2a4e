// florin get|post|patch|delete: sends one request with the stored login.

import { readFileSync } from 'node:fs'
import type { ApiDescription } from '../../http/openapi/api-description.ts'
import { nearestName, quote } from '../../primitives/text.ts'
import { UsageError } from '../failures.ts'
import { isForMachines } from '../terminal.ts'
import { type Api, type ApiOptions, withApi } from './api.ts'
import { readBody, toQuery } from './body-fields.ts'
import { requireIdempotencyKey } from './header-values.ts'
import { showJson } from './show-json.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface RequestCommand extends ApiOptions {
  data?: string[]
  idempotencyKey?: string
}

export async function request(
  method: Method,
  given_path: string,
  options: RequestCommand,
): Promise<void> {
  await withApi(options, (api) => send(api, method, readPath(given_path, api), options), {
    takes_idempotency_key: true,
  })
}

async function send(
  api: Api,
  method: Method,
  path: string,
  options: RequestCommand,
): Promise<void> {
  if (method === 'GET') rejectStream(path, api)
  const key = options.idempotencyKey
  const idempotency_key = key === undefined ? undefined : requireIdempotencyKey(key)
  const body = await readBody(options.data ?? [])
  const whole = method === 'GET' ? requireKnownParameters(withQuery(path, toQuery(body))) : path
  const sent = method === 'GET' ? {} : { body, idempotency_key }
  const { text, bytes, headers } = await (await api.caller()).request(method, whole, sent)
  if (headers.get('content-type') === 'application/pdf') writeFile(bytes)
  else showJson(text.trimEnd(), isForMachines(options))
}

/** A terminal would interpret the bytes of a file. */
function writeFile(bytes: Uint8Array): void {
  if (!process.stdout.isTTY) process.stdout.write(bytes)
  else throw new UsageError('The response is a PDF. Redirect it to a file: florin get … > file.pdf')
}

// Accepts a full URL too, but only of the selected server: a token is never sent to another one.
function readPath(text: string, { url }: Api): string {
  const path = text.startsWith(`${url}/`) ? text.slice(url.length) : text
  if (!/^\/[^/\s]/.test(path) || /\s/.test(path)) {
    throw new UsageError(`The path must be like /v1/payments; got "${text}".`)
  }
  if (!path.includes('#')) return path
  throw new UsageError(
    `The path must not contain "#", because the part after it is not sent; got "${text}". ` +
      "Write %23 in a value, or pass the field with -d 'name=#12'.",
  )
}

// Responses are printed when they are complete; a stream never is.
function rejectStream(path: string, { url }: Api): void {
  const base = new URL(`${url}/`).pathname
  if (new URL(url + path).pathname !== `${base}v1/events/stream`) return
  throw new UsageError(
    'This command prints complete responses, and the event stream does not end. ' +
      'Run: florin events tail --json',
  )
}

const description = new URL('../../../docs/reference/openapi.json', import.meta.url)

// The contract's endpoints ignore unknown parameters, so a misspelled filter would list everything.
// The server rejects paths that are unknown to this version.
function requireKnownParameters(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const { paths } = JSON.parse(readFileSync(description, 'utf8')) as ApiDescription
  const template = Object.keys(paths).find((one) => matches(one, pathname))
  const operation = template === undefined ? undefined : paths[template]!.get
  if (operation === undefined) return path
  const names = (operation.parameters ?? []).flatMap((one) =>
    'in' in one && one.in === 'query' ? [one.name] : [],
  )
  const unknown = [...searchParams.keys()].find((name) => !names.includes(name))
  if (unknown === undefined) return path
  const nearest = nearestName(unknown, names)
  const allowed = nearest ? `Did you mean ${nearest}?` : `Allowed: ${names.join(', ') || 'none'}.`
  throw new UsageError(`${quote(unknown)} is not a query parameter of ${template}. ${allowed}`)
}

function matches(template: string, pathname: string): boolean {
  const segments = pathname.split('/')
  const expected = template.split('/')
  return (
    segments.length === expected.length &&
    expected.every((part, at) => part.startsWith('{') || part === segments[at])
  )
}

function withQuery(path: string, query: string): string {
  if (query === '') return path
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}
