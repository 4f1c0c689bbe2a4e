// Getting paid: making payment requests, and showing their page, each against a bare echo.

import { httpRequest, load, startEcho, startFlorin, withFolder } from './processes.ts'
import type { Figure } from './run.ts'
import { median, ratio } from './statistics.ts'
import { openTills, seed, type Till } from './tills.ts'

interface Options {
  rounds: number
  seconds: number
}

export async function payments({ rounds, seconds }: Options): Promise<Figure[]> {
  return withFolder(async (data_path) => {
    seed(data_path, 1_000, 10_000)
    const florin = await startFlorin(data_path)
    const echo = await startEcho('{}')
    try {
      const tills = await openTills(data_path)
      const creates = tills.map(createRequest)
      const pages = await pageRequests(florin.port, tills.slice(0, 200))
      const plan = [
        { name: 'echo', port: echo.port, requests: creates, status: 200 },
        { name: 'create', port: florin.port, requests: creates, status: 201 },
        { name: 'one account', port: florin.port, requests: creates.slice(0, 1), status: 201 },
        { name: 'echo page', port: echo.port, requests: pages, status: 200 },
        { name: 'page', port: florin.port, requests: pages, status: 200 },
      ]
      const legs: Record<string, number[]> = {}
      for (let round = 0; round < rounds; round++) {
        for (const { name, ...leg } of plan) {
          const { wrong, per_second } = await load({ ...leg, connections: 64, seconds })
          if (wrong > 0) throw new Error(`${name}: ${wrong} answers were wrong`)
          legs[name] = [...(legs[name] ?? []), per_second]
        }
      }
      return figuresOf(legs)
    } finally {
      for (const started of [echo, florin]) await started.stop()
    }
  })
}

function figuresOf(legs: Record<string, number[]>): Figure[] {
  const rate = (name: string) => median(legs[name]!)
  const common = { unit: 'ratio', details: { legs } } as const
  return [
    {
      name: 'POST /v1/payments ÷ bare echo',
      value: ratio(rate('create'), rate('echo')),
      least: 0.3,
      aim: 0.4,
      ...common,
    },
    {
      name: 'payment page ÷ bare echo',
      value: ratio(rate('page'), rate('echo page')),
      least: 0.25,
      aim: 0.4,
      ...common,
    },
  ]
}

function bodyOf(till: Till) {
  return JSON.stringify({
    account_id: till.account_id,
    amount: 7_500,
    currency: till.currency,
    customer_email: 'customer@example.com',
    reference: 'Invoice 2026-114',
    metadata: { order: '114' },
  })
}

function headersOf(till: Till): string[] {
  return [`authorization: Bearer ${till.token}`, 'content-type: application/json']
}

function createRequest(till: Till): string {
  return httpRequest('POST', '/v1/payments', headersOf(till), bodyOf(till))
}

async function pageRequests(port: number, tills: Till[]): Promise<string[]> {
  return Promise.all(
    tills.map(async (till) => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/payments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${till.token}`, 'content-type': 'application/json' },
        body: bodyOf(till),
      })
      const { payment_url } = (await answer.json()) as { payment_url: string }
      return httpRequest('GET', new URL(payment_url).pathname, [])
    }),
  )
}
