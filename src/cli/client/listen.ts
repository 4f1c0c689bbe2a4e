// florin listen: forwards an account's events to a local server, signed like webhooks, without a
// publicly reachable URL.

import type { FlorinEvent } from '../../../client/src/florin.ts'
import { matchesFilter, requireFilters } from '../../webhooks/event-filter.ts'
import { newWebhookSecret, signedHeaders } from '../../webhooks/sign.ts'
import { UsageError, validateOption } from '../failures.ts'
import { accent, faint, print, printJson, strong, symbols, timeOfDay } from '../terminal.ts'
import { type Api, type ApiOptions, withLogin } from './api.ts'
import type { StoredServer } from './stored-logins.ts'
import { followEvents, newestSequence, untilStopped } from './tail.ts'

export interface ListenCommand extends ApiOptions {
  forwardTo: string
  events?: string
  after?: number
}

export async function listen(options: ListenCommand): Promise<void> {
  const json = options.json === true
  const target = readTarget(options.forwardTo)
  const names = options.events?.split(',').map((name) => name.trim()) ?? ['*']
  const wanted = validateOption(() => requireFilters(names))
  await withLogin(options, async (florin, api, stored) => {
    const secret = await storedSecret(api, stored)
    // Read before the announcement: every event after it is forwarded.
    const after = options.after ?? (await newestSequence(florin))
    await untilStopped((signal) => {
      announce({ json, target, wanted, secret, server: api.url })
      const follow = { ...options, url: api.url, signal }
      return followEvents(florin, { after }, follow, async (event) => {
        if (!matchesFilter(wanted, event.type)) return
        const delivery = await deliver(event, target, secret, signal)
        if (json) printJson(delivery)
        else print(toLine(delivery))
      })
    })
  })
}

function readTarget(text: string): string {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new UsageError(
    `--forward-to must be a URL such as http://localhost:3000/webhooks; got "${text}".`,
  )
}

/** The secret is the same for every run, so the receiver's configuration stays valid. */
async function storedSecret(api: Api, stored: StoredServer): Promise<string> {
  const account = api.account ?? stored.account_id ?? 'own'
  return api.logins.change(({ servers }) => {
    const server = servers[api.url] ?? {}
    const secret = server.secrets?.[account] ?? newWebhookSecret()
    servers[api.url] = { ...server, secrets: { ...server.secrets, [account]: secret } }
    return secret
  })
}

interface Announcement {
  json: boolean
  server: string
  target: string
  wanted: string[]
  secret: string
}

function announce({ json, server, target, wanted, secret }: Announcement): void {
  if (json) {
    printJson({ listening: true, server, forward_to: target, events: wanted, secret })
    return
  }
  print(`Listening at ${server} for ${wanted.join(', ')}, forwarding to ${accent(target)}\n`)
  print(`Your webhook secret is ${strong(secret)}\n`)
  print(`${faint('Stop with Ctrl-C.')}\n`)
}

interface ForwardedDelivery {
  event_id: string
  type: string
  sequence: number
  /** Status of the receiver's response; null without a response. */
  status: number | null
  duration_ms: number
  error: string | null
}

// The timeout of a real webhook delivery.
const response_timeout_ms = 15_000

async function deliver(
  event: FlorinEvent,
  target: string,
  secret: string,
  signal: AbortSignal,
): Promise<ForwardedDelivery> {
  const { id, type, sequence } = event
  const body = toMessage(event)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Florin-Webhooks/1',
    ...signedHeaders({ id, body }, new Date(), [secret]),
  }
  const started = performance.now()
  const result = (status: number | null, error: string | null) => {
    const duration_ms = Math.round(performance.now() - started)
    return { event_id: id, type, sequence, status, duration_ms, error }
  }
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(response_timeout_ms)])
    const request = { method: 'POST', headers, body, redirect: 'manual', signal: within } as const
    const response = await fetch(target, request)
    await response.body?.cancel()
    return result(response.status, null)
  } catch (error) {
    return result(null, reasonOf(error))
  }
}

/** The body of a delivery: the event with the `timestamp` of Standard Webhooks as third field. */
function toMessage({ id, type, ...rest }: FlorinEvent): string {
  return JSON.stringify({ id, type, timestamp: rest.created_at, ...rest })
}

function reasonOf(error: unknown): string {
  if ((error as Error).name === 'TimeoutError') return 'no response within 15 s'
  const cause = (error as { cause?: { code?: string; message?: string } }).cause
  return cause?.code ?? cause?.message ?? (error as Error).message
}

function toLine({ type, event_id, status, duration_ms, error }: ForwardedDelivery): string {
  const good = status !== null && status >= 200 && status < 300
  const mark = good ? accent(symbols.ok) : strong(symbols.fail)
  const response = status === null ? error : String(status)
  const took = faint(`${duration_ms} ms`)
  const at = faint(timeOfDay(new Date()))
  return `${at} ${mark} ${type.padEnd(24)} ${event_id} ${response} ${took}\n`
}
