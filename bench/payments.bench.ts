// Creating payment requests, and rendering their page, each compared with a bare echo.

import { type AccountSession, openAccountSessions, requestOf } from './account-sessions.ts'
import type { Figure } from './figure.ts'
import { compareWithEcho, type Options } from './interleaved-runs.ts'
import {
  httpRequest,
  type RunningProcess,
  startBareLane,
  startEcho,
  startFlorin,
} from './processes.ts'
import { connectionOf, seed, type WithTarget } from './targets.ts'

export function payments(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  return withTarget(async (target) => {
    seed(target, 1_000, 10_000)
    const florin = await startFlorin(target.env)
    const started: RunningProcess[] = [florin]
    try {
      const sessions = await openAccountSessions(target)
      const pages = await pageRequests(florin.port, sessions.slice(0, 200))
      const page = await fetch(`http://127.0.0.1:${florin.port}${pages[0]!.split(' ')[1]}`)
      const echo = await startEcho('{}')
      const echo_page = await startEcho(await page.text())
      const bare_lane = await startBareLane(await connectionOf(target))
      started.push(echo, echo_page, bare_lane)
      const { port } = florin
      const create = { name: 'create', port, requests: sessions.map(createPayment), status: 201 }
      const look = { name: 'page', port, requests: pages, status: 200 }
      const at = (server: RunningProcess) => ({ port: server.port, status: 200 })
      const bare = { ...create, port: bare_lane.port }
      return [
        ...(await compareWithEcho(create, { ...create, ...at(echo) }, marks.create, options)),
        ...(await compareWithEcho(bare, { ...create, ...at(echo) }, marks.bare, options)),
        ...(await compareWithEcho(look, { ...look, ...at(echo_page) }, marks.page, options)),
      ]
    } finally {
      for (const server of started.reverse()) await server.stop()
    }
  })
}

const marks = {
  create: { name: 'POST /v1/payments ÷ bare echo', min: 0.3 },
  bare: { name: '  the lanes alone ÷ bare echo' },
  page: { name: 'payment page ÷ echo of the same size', min: 0.25 },
}

function bodyOf(session: AccountSession): string {
  return JSON.stringify({
    account_id: session.account_id,
    amount: 7_500,
    currency: session.currency,
    customer_email: 'customer@example.com',
    reference: 'Invoice 2026-114',
    metadata: { order: '114' },
  })
}

function createPayment(session: AccountSession): string {
  return requestOf(session, 'POST', '/v1/payments', bodyOf(session))
}

async function pageRequests(port: number, sessions: AccountSession[]): Promise<string[]> {
  return Promise.all(
    sessions.map(async (session) => {
      const response = await fetch(`http://127.0.0.1:${port}/v1/payments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' },
        body: bodyOf(session),
      })
      const { payment_url } = (await response.json()) as { payment_url: string }
      return httpRequest('GET', new URL(payment_url).pathname, [])
    }),
  )
}
