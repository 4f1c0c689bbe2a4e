// Follows an account's events over the API, and goes on after every break where it was.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from './api.ts'
import { ApiFailure, ServerUnreachable } from './failures.ts'
import { warnUser } from './terminal.ts'

export interface ShownEvent {
  id: string
  type: string
  account_id: string
  sequence: number
  created_at: string
  data: Record<string, unknown>
}

export interface FollowOptions {
  /** The last number that is known. */
  after: number
  signal: AbortSignal
  onDisconnect(reason: string): void
  /** It ends because nothing will happen any more: whoever waits wants to know why. */
  onClosed(): void
}

/**
 * Numbers have no gaps, so whoever remembers the last one misses nothing. It ends with the account:
 * with account.closed, or with 204 when that was told before.
 */
export async function* followEvents(
  api: Api,
  { after, signal, onDisconnect, onClosed }: FollowOptions,
): AsyncGenerator<ShownEvent> {
  let last = after
  let was_open = false
  for (;;) {
    if (signal.aborted) return
    try {
      const path = `/v1/events/stream?after=${last}`
      const response = await api.send('GET', path, { signal })
      if (response.status === 204) return onClosed()
      was_open = true
      for await (const event of readEvents(response)) {
        last = event.sequence
        yield event
        if (event.type === 'account.closed') return onClosed()
      }
    } catch (error) {
      if (signal.aborted) return
      // What does not work at all is told at once; what worked before is tried again.
      if (!was_open || !isTransient(error)) throw error
      onDisconnect((error as Error).message)
    }
    await sleep(retry_ms, undefined, { signal }).catch(() => {})
  }
}

/** What both commands that follow say on standard error, beside what they show. */
export function warnOnDisconnect(options: {
  json?: true
}): Pick<FollowOptions, 'onDisconnect' | 'onClosed'> {
  return {
    onDisconnect: (reason) => warnUser('connection_lost', `${reason} Trying again.`, options),
    onClosed: () =>
      warnUser('account_closed', 'The account is closed: no more events will come.', options),
  }
}

// As the stream itself asks for.
const retry_ms = 1_000

export async function newestSequence(api: Api): Promise<number> {
  const { data } = await api.request('GET', '/v1/events?limit=1')
  return data[0]?.sequence ?? 0
}

function isTransient(error: unknown): boolean {
  if (error instanceof ApiFailure) {
    const status = error.failure.status ?? 0
    return status === 429 || status >= 500
  }
  // fetch gives a TypeError for a connection that broke while it was read.
  return error instanceof ServerUnreachable || error instanceof TypeError
}

const data_field = 'data: '

async function* readEvents(response: Response): AsyncGenerator<ShownEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true })
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      // No pattern with dots: to those U+2028 ends a line, and JSON may hold it.
      const data = text
        .slice(0, end)
        .split('\n')
        .find((line) => line.startsWith(data_field))
      text = text.slice(end + 2)
      if (data !== undefined) yield JSON.parse(data.slice(data_field.length))
    }
  }
}
