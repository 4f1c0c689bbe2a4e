// Floods that must not stop payments: 300 clients that log in without a pause, and 1 000 clients
// that never finish sending a request. Each is compared with the same traffic without the flood.

import { readFile } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AccountSession,
  createRequest,
  openAccountSessions,
  requestOf,
} from './account-sessions.ts'
import type { Figure } from './figure.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import { httpRequest, load, type RunningProcess, startFlorin } from './processes.ts'
import { seed, type WithTarget } from './targets.ts'

// A busy afternoon of one shop, far below the server's capacity: the figure is the latency that the
// flood adds to payments, not their throughput.
const payments_per_second = 100
const max_p99_ms = 250

export function floods(withTarget: WithTarget, quick: boolean): Promise<Figure[]> {
  return withTarget(async (target) => {
    seed(target, 40, 400)
    const florin = await startFlorin(target.env)
    try {
      const sessions = await openAccountSessions(target)
      const pay = payments(florin, sessions)
      // Warm up V8.
      await load({ ...pay, seconds: quick ? 2 : 5 })
      return [
        ...(await loginFlood(florin, pay, quick ? 3 : 10)),
        ...(await slowSockets(florin, pay, sessions, quick ? 5 : 30)),
      ]
    } finally {
      await florin.stop()
    }
  })
}

type Plan = Omit<LoadOptions, 'seconds'>

function payments({ port }: RunningProcess, sessions: AccountSession[]): Plan {
  const requests = sessions.map(createRequest)
  return { port, connections: 16, requests, status: 201, rate: payments_per_second }
}

async function loginFlood(florin: RunningProcess, pay: Plan, seconds: number): Promise<Figure[]> {
  const { port } = florin
  const [calm, waited] = await whileWatched(florin, () => load({ ...pay, seconds }))
  // The correct password costs the most: wrong ones are soon rejected without hashing. A rejected
  // client sends its next request at once.
  const admin = JSON.stringify({ email: 'bench@example.com', password: 'bench-password' })
  const json = ['content-type: application/json']
  const requests = [httpRequest('POST', '/v1/auth/login', json, admin)]
  const flood = load({ port, connections: 300, requests, status: 200, seconds: seconds + 2 })
  await sleep(500)
  const meanwhile = await load({ ...pay, seconds })
  const logins = await flood
  const details = { calm, meanwhile, logins, waited }
  return figuresOf('300 concurrent logins', calm, meanwhile, {
    ...details,
    // Without any login the flood tested nothing.
    enough: logins.responses + logins.refused > 0 && logins.wrong === 0,
  })
}

async function slowSockets(
  florin: RunningProcess,
  pay: Plan,
  sessions: AccountSession[],
  seconds: number,
): Promise<Figure[]> {
  const reads = sessions.map((session) => requestOf(session, 'GET', '/v1/transactions?limit=10'))
  const look: Plan = { ...pay, requests: reads, status: 200 }
  const both = async () => {
    const [paid, read] = await Promise.all([load({ ...pay, seconds }), load({ ...look, seconds })])
    return paid.p99_ms > read.p99_ms ? paid : read
  }
  const [calm, waited] = await whileWatched(florin, both)
  const crowd = new SlowCrowd(florin.port)
  crowd.start()
  await sleep(500)
  const meanwhile = await both()
  const { open, opened } = crowd
  crowd.stop()
  return figuresOf('500 slow-header and 500 slow-body sockets', calm, meanwhile, {
    calm,
    meanwhile,
    open,
    opened,
    waited,
    enough: open > 900,
  })
}

function figuresOf(
  what: string,
  calm: LoadResult,
  meanwhile: LoadResult,
  details: Record<string, unknown> & { enough: boolean; waited: number },
): Figure[] {
  if (!details.enough) throw new Error(`${what}: flood too small: ${JSON.stringify(details)}`)
  const errors = meanwhile.wrong + meanwhile.refused
  return [
    { name: `p99 under ${what}`, value: meanwhile.p99_ms, unit: 'ms', max: max_p99_ms, details },
    { name: '  the same without the flood', value: calm.p99_ms, unit: 'ms', details },
    {
      name: '  share of time spent waiting for a core then',
      value: details.waited,
      unit: 'ratio',
      details,
    },
    { name: '  errors during the flood', value: errors, unit: 'count', max: 0, details },
  ]
}

/**
 * Returns the share of time in which the server's main thread was runnable but had no core. A high
 * share means the machine is busy and the latencies are not Florin's. NaN where not on Linux.
 */
async function whileWatched<Result>(
  { pid }: RunningProcess,
  work: () => Promise<Result>,
): Promise<[Result, number]> {
  const waitedMs = async () => {
    const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '')
    return Number(text.split(' ')[1] ?? Number.NaN) / 1e6
  }
  const begun = performance.now()
  const before_ms = await waitedMs()
  const result = await work()
  const waited_ms = (await waitedMs()) - before_ms
  return [result, Math.round((waited_ms / (performance.now() - begun)) * 1_000) / 1_000]
}

const each = 500
// Frequent enough to avoid the idle timeout: only the limit for a whole request ends the socket.
const drop_every_ms = 1_000

/** Sockets that send a byte now and then. A socket that the server closes is opened again. */
class SlowCrowd {
  readonly #port: number
  readonly #sockets = new Map<Socket, string>()
  #timer: NodeJS.Timeout | undefined
  opened = 0

  constructor(port: number) {
    this.#port = port
  }

  get open(): number {
    return this.#sockets.size
  }

  start(): void {
    for (let number = 0; number < each; number++) {
      this.#add('GET /livez HTTP/1.1\r\nhost: localhost\r\n', 'x: y\r\n')
      const length = 'content-type: application/json\r\ncontent-length: 4000'
      const head = `host: localhost\r\n${length}\r\n\r\n{`
      this.#add(`POST /v1/users HTTP/1.1\r\n${head}`, ' ')
    }
    this.#timer = setInterval(() => {
      for (const [socket, drop] of this.#sockets) if (socket.writable) socket.write(drop)
    }, drop_every_ms)
  }

  #add(beginning: string, drop: string): void {
    const socket = createConnection({ host: '127.0.0.1', port: this.#port })
    this.opened += 1
    this.#sockets.set(socket, drop)
    socket.on('connect', () => socket.write(beginning))
    socket.on('error', () => {})
    socket.resume()
    socket.on('end', () => socket.destroy())
    socket.on('close', () => {
      this.#sockets.delete(socket)
      if (this.#timer !== undefined) this.#add(beginning, drop)
    })
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const socket of this.#sockets.keys()) socket.destroy()
  }
}
