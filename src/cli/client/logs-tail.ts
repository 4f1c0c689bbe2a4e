// florin logs tail: prints the API requests of an account as they are logged.

import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestLogEntry } from '../../request-log/entry.ts'
import { ApiFailure, ServerUnreachable } from '../failures.ts'
import { listenForStop } from '../stop-signals.ts'
import {
  accent,
  faint,
  print,
  printable,
  printJson,
  strong,
  timeOfDay,
  warnUser,
} from '../terminal.ts'
import { type Api, type ApiOptions, openLoggedIn } from './api.ts'
import { listLatest } from './list-latest.ts'

export interface LogsTailCommand extends ApiOptions {
  status?: string
  method?: string
  path?: string
  last: number
  follow: boolean
}

// The server writes its request log every half second.
const poll_ms = 1_000

export async function tailLogs(options: LogsTailCommand): Promise<void> {
  const { api } = await openLoggedIn(options)
  const filter = toFilter(options)
  const count = Math.max(options.last, 1)
  const first = await listLatest<RequestLogEntry>(api, '/v1/request_logs', filter, count)
  for (const entry of first.slice(0, options.last).reverse()) show(entry, options)
  if (!options.follow) return
  const stop = listenForStop()
  let last = first[0]?.id
  while (!stop.signal.aborted) {
    await sleep(poll_ms, undefined, { signal: stop.signal }).catch(() => {})
    if (stop.signal.aborted) break
    const fresh = await readNext(api, last, filter, options)
    for (const entry of fresh) show(entry, options)
    last = fresh.at(-1)?.id ?? last
  }
  stop.release()
}

/** Oldest first. Returns nothing on a transient failure; the caller polls again. */
async function readNext(
  api: Api,
  last: string | undefined,
  filter: string,
  options: LogsTailCommand,
): Promise<RequestLogEntry[]> {
  try {
    if (last !== undefined) return await readPage(api, `limit=100&after=${last}${filter}`)
    return (await readPage(api, `limit=100${filter}`)).reverse()
  } catch (error) {
    const status = error instanceof ApiFailure ? (error.failure.status ?? 0) : 0
    const is_transient = error instanceof ServerUnreachable || status === 429 || status >= 500
    if (!is_transient) throw error
    warnUser('connection_lost', `${(error as Error).message} Retrying.`, options)
    return []
  }
}

async function readPage(api: Api, query: string): Promise<RequestLogEntry[]> {
  return (await api.request('GET', `/v1/request_logs?${query}`)).data
}

function toFilter({ status, method, path }: LogsTailCommand): string {
  const filter = { status, method: method?.toUpperCase(), path }
  return Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `&${name}=${encodeURIComponent(value!)}`)
    .join('')
}

function show(entry: RequestLogEntry, { json }: LogsTailCommand): void {
  if (json) printJson(entry)
  else print(toLine(entry))
}

function toLine(entry: RequestLogEntry): string {
  const { created_at, method, path, status, duration_ms, error, id } = entry
  const at = faint(timeOfDay(new Date(created_at)))
  const colored_status = status < 400 ? accent(String(status)) : strong(String(status))
  const more = error === null ? '' : ` ${error}`
  const rest = faint(`${duration_ms} ms ${id}`)
  return `${at} ${method.padEnd(6)} ${colored_status} ${printable(path)}${more} ${rest}\n`
}
