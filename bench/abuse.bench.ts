// `npm run bench -- abuse`: attacks that make one caller's requests expensive for everybody. The
// payments of other accounts are measured before and during each attack, at the default rate limit.
// Where an attack needs hours of traffic first, its rows are inserted in the shape the API leaves.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../src/postgres/database.ts'
import { findUuid } from '../src/primitives/ids.ts'
import type { AttackOptions, AttackResult } from './attack.ts'
import { type Place, seed, type WithPlace, withDatabase } from './places.ts'
import { attack, httpRequest, load, startFlorin } from './processes.ts'
import type { Figure } from './run.ts'
import { median, ratio } from './statistics.ts'
import { createRequest, openTills, requestOf, type Till } from './tills.ts'

const ratio_most = 3
// Below the limits of the credentials that pay, and far below what a server handles.
const payments_a_second = 40

interface Scene {
  port: number
  place: Place
  attacker: Till
  quick: boolean
}

interface Attack {
  name: string
  /** Rows that hours of ordinary traffic would leave. */
  prepare?(db: Db, scene: Scene): Promise<void>
  requests(scene: Scene): string[]
  connections: number
  rate?: number
}

const json = ['content-type: application/json']

function keyHeavyBody(): string {
  const keys = Array.from({ length: 12_000 }, (_, at) => `"k${at}":1`)
  return `{"x":0.12345678901234567,${keys.join(',')}}`
}

const attacks: Attack[] = [
  {
    name: 'log-in bodies with 12 000 keys',
    connections: 10,
    requests: () => [httpRequest('POST', '/v1/auth/login', json, keyHeavyBody())],
  },
  {
    name: 'metadata with 10 000 keys',
    connections: 10,
    requests: ({ attacker }) => {
      const metadata = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1]))
      return [requestOf(attacker, 'POST', '/v1/transactions', JSON.stringify({ metadata }))]
    },
  },
  {
    name: 'forms with 32 000 fields',
    connections: 10,
    requests: () => {
      const form = ['content-type: application/x-www-form-urlencoded']
      return [httpRequest('POST', `/pay/${'x'.repeat(43)}`, form, 'a=b&'.repeat(32_000))]
    },
  },
  {
    name: 'unknown paths with bad escapes',
    connections: 32,
    requests: () => [httpRequest('GET', `/x/${'%'.repeat(7_900)}`, [])],
  },
  {
    name: 'documents',
    connections: 32,
    requests: () => [
      httpRequest('GET', '/openapi.json', []),
      httpRequest('GET', '/docs/scalar.js', ['accept-encoding: identity']),
    ],
  },
  {
    name: 'made-up dashboard cookies',
    connections: 64,
    requests: () => [
      httpRequest('GET', '/dashboard/api/v1/account', [
        `cookie: florin_dashboard=${'x'.repeat(43)}`,
      ]),
    ],
  },
  {
    name: 'sign-ups with an email that exists',
    connections: 80,
    rate: 80,
    requests: () => [
      httpRequest(
        'POST',
        '/v1/users',
        json,
        JSON.stringify({ email: 'bench@example.com', password: 'another-bench-password' }),
      ),
    ],
  },
  {
    name: 'statements of an account with a million canceled postings',
    connections: 40,
    prepare: addHiddenPostings,
    requests: ({ attacker }) => [requestOf(attacker, 'GET', '/v1/account/statement')],
  },
  {
    name: 'filtered lists of an account with half a million credits',
    connections: 40,
    prepare: addCredits,
    requests: ({ attacker }) => [
      requestOf(attacker, 'GET', '/v1/transactions?status=succeeded&type=payment&limit=1'),
    ],
  },
]

/** The figures of each attack, one after another on one server. */
export function abuse(withPlace: WithPlace, options: { quick: boolean }): Promise<Figure[]> {
  return withPlace(async (place) => {
    seed(place, 40, 400)
    const florin = await startFlorin({ ...place.env, FLORIN_RATE_LIMIT: '100' })
    try {
      const [attacker, ...tills] = await openTills(place)
      const scene = { port: florin.port, place, attacker: attacker!, quick: options.quick }
      const figures: Figure[] = []
      await payFor(scene.port, tills, 3)
      for (const one of attacks) figures.push(await measure(one, scene, tills))
      return figures
    } finally {
      await florin.stop()
    }
  })
}

async function measure(one: Attack, scene: Scene, tills: Till[]): Promise<Figure> {
  const { port, quick, place } = scene
  await withDatabase(place, async (db) => one.prepare?.(db, scene))
  const rounds = quick ? 1 : 3
  const seconds = quick ? 3 : 5
  const calm: number[] = []
  const attacked: number[] = []
  const seen: AttackResult[] = []
  const failed: number[] = []
  for (let round = 0; round < rounds; round++) {
    calm.push((await payFor(port, tills, seconds)).p50_ms)
    const plan: AttackOptions = {
      port,
      connections: one.connections,
      seconds: seconds + 2,
      requests: one.requests(scene),
      ...(one.rate === undefined ? {} : { rate: one.rate }),
    }
    const attacking = attack(plan)
    await sleep(1_000)
    const paid = await payFor(port, tills, seconds)
    attacked.push(paid.p50_ms)
    failed.push(paid.wrong + paid.refused)
    seen.push(await attacking)
  }
  if (seen.some((statuses) => Object.keys(statuses).length === 0)) {
    throw new Error(`${one.name}: the attack sent nothing`)
  }
  return {
    name: `payment p50 under ${one.name} ÷ calm`,
    value: ratio(median(attacked.map((p50, at) => p50 / calm[at]!)), 1),
    unit: 'ratio',
    most: ratio_most,
    details: { calm_ms: calm, attacked_ms: attacked, attack: seen, failed_payments: failed },
  }
}

function payFor(port: number, tills: Till[], seconds: number) {
  const requests = tills.map(createRequest)
  return load({ port, connections: 8, requests, status: 201, rate: payments_a_second, seconds })
}

function accountOf({ attacker }: Scene): string {
  return findUuid('account', attacker.account_id)!
}

/** Payments that were created and canceled: postings that a statement does not show. */
async function addHiddenPostings(db: Db, scene: Scene): Promise<void> {
  const count = scene.quick ? 100_000 : 1_000_000
  const account_id = accountOf(scene)
  await db.pool.query(
    `insert into postings
       (account_id, sequence, transaction_id, movement, amount, available_after, at)
     select $1, posting_sequence + g, gen_random_uuid(),
       case when g % 2 = 1 then 'arrive' else 'return' end, 100, available, now()
     from balances, generate_series(1, ${count}) g
     where account_id = $1`,
    [account_id],
  )
  await db.pool.query(
    `update balances set posting_sequence = posting_sequence + ${count} where account_id = $1`,
    [account_id],
  )
  await db.pool.query('analyze postings')
}

async function addCredits(db: Db, scene: Scene): Promise<void> {
  const count = scene.quick ? 50_000 : 500_000
  await db.pool.query(
    `insert into transactions (account_id, id, status, amount, currency, type, updated_at)
     select $1, ('01a1e7da-' || lpad(to_hex((g / 65536) % 65536), 4, '0') || '-7' ||
         lpad(to_hex(g % 4096), 3, '0') || '-8000-' || lpad(to_hex(g), 12, '0'))::uuid,
       'succeeded', 100, $2, 'credit', now()
     from generate_series(1, ${count}) g`,
    [accountOf(scene), scene.attacker.currency],
  )
  await db.pool.query('analyze transactions')
}
