// Getting paid: making payment requests, and showing their page, each against a bare echo.

import { Legs, type Options } from './legs.ts'
import { seed, type WithPlace } from './places.ts'
import { httpRequest, type Started, startEcho, startFlorin } from './processes.ts'
import type { Figure } from './run.ts'
import { ratio } from './statistics.ts'
import { openTills, requestOf, type Till } from './tills.ts'

export function payments(withPlace: WithPlace, options: Options): Promise<Figure[]> {
  return withPlace(async (place) => {
    seed(place, 1_000, 10_000)
    const florin = await startFlorin(place.env)
    const started: Started[] = [florin]
    try {
      const tills = await openTills(place)
      const pages = await pageRequests(florin.port, tills.slice(0, 200))
      const page = await fetch(`http://127.0.0.1:${florin.port}${pages[0]!.split(' ')[1]}`)
      const echo = await startEcho('{}')
      const echo_page = await startEcho(await page.text())
      started.push(echo, echo_page)
      const creates = tills.map(createPayment)
      const legs = new Legs()
      const plans = [
        { name: 'echo of a request', port: echo.port, requests: creates, status: 200 },
        { name: 'request', port: florin.port, requests: creates, status: 201 },
        { name: 'echo of a page', port: echo_page.port, requests: pages, status: 200 },
        { name: 'page', port: florin.port, requests: pages, status: 200 },
      ]
      await legs.run(plans, options)
      return figuresOf(legs)
    } finally {
      for (const server of started.reverse()) await server.stop()
    }
  })
}

function figuresOf(legs: Legs): Figure[] {
  const common = { unit: 'ratio', aim: 0.4, details: legs.all } as const
  return [
    {
      ...common,
      name: 'POST /v1/payments ÷ bare echo',
      value: ratio(legs.perSecond('request'), legs.perSecond('echo of a request')),
      least: 0.3,
    },
    {
      ...common,
      name: 'payment page ÷ echo of the same size',
      value: ratio(legs.perSecond('page'), legs.perSecond('echo of a page')),
      least: 0.25,
    },
  ]
}

function bodyOf(till: Till): string {
  return JSON.stringify({
    account_id: till.account_id,
    amount: 7_500,
    currency: till.currency,
    customer_email: 'customer@example.com',
    reference: 'Invoice 2026-114',
    metadata: { order: '114' },
  })
}

function createPayment(till: Till): string {
  return requestOf(till, 'POST', '/v1/payments', bodyOf(till))
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
