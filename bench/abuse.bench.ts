// `npm run bench -- abuse`: attacks in which one caller tries to slow down all others. Payments
// of other accounts are measured before and during an attack, at the default rate limit.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../src/postgres/database.ts'
import { findUuid } from '../src/primitives/ids.ts'
import {
  type AccountSession,
  createRequest,
  openAccountSessions,
  requestOf,
} from './account-sessions.ts'
import type { AttackOptions, AttackResult } from './attack.ts'
import type { Figure } from './figure.ts'
import {
  addHiddenPostings,
  addMembers,
  addPaused,
  addSucceeded,
  addUsedTokens,
} from './many-rows.ts'
import { attack, httpRequest, load, startFlorin } from './processes.ts'
import { median, ratio } from './statistics.ts'
import { type BenchTarget, seed, type WithTarget, withDatabase } from './targets.ts'

const max_ratio = 3
// Below the rate limits of the paying credentials, and far below the server's capacity.
const payments_per_second = 40

interface Scene {
  port: number
  target: BenchTarget
  attacker: AccountSession
  /** Accounts that an attack may close. */
  spare: AccountSession[]
  quick: boolean
}

interface Attack {
  name: string
  /** Rows that hours of ordinary traffic would leave. */
  prepare?(db: Db, scene: Scene): Promise<void>
  /** Requests are sent once per round, and the rows are added again before each round. */
  each_round?: boolean
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
    name: 'login bodies with 12 000 keys',
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
    name: 'static documents',
    connections: 32,
    requests: () => [
      httpRequest('GET', '/openapi.json', []),
      httpRequest('GET', '/llms-full.txt', ['accept-encoding: identity']),
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
    name: 'signups with an email that exists',
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
    prepare: (db, scene) => addHiddenPostings(db, accountOf(scene), scaled(1_000_000, scene)),
    requests: ({ attacker }) => [requestOf(attacker, 'GET', '/v1/account/statement')],
  },
  {
    name: 'filtered lists of an account with half a million credits',
    connections: 40,
    prepare: (db, scene) => {
      const credits = { type: 'credit', amount: 100, count: scaled(500_000, scene) } as const
      return addSucceeded(db, accountOf(scene), credits)
    },
    requests: ({ attacker }) => [
      requestOf(attacker, 'GET', '/v1/transactions?status=succeeded&type=payment&limit=1'),
    ],
  },
]

const closings_at_once = 11

attacks.push(
  {
    name: 'logouts of a user with 600 000 used refresh tokens',
    connections: 14,
    prepare: (db, scene) => addUsedTokens(db, accountOf(scene), scaled(600_000, scene)),
    requests: ({ attacker }) => {
      const body = JSON.stringify({ session_id: 'ses_01h455vb4pex5vsknk084sn02q' })
      return [requestOf(attacker, 'DELETE', '/v1/auth/session', body)]
    },
  },
  {
    name: 'closing eleven accounts with 1 000 members each',
    connections: closings_at_once,
    each_round: true,
    prepare: (db, { spare }) => addMembers(db, spare.slice(0, closings_at_once).map(uuidOf)),
    requests: ({ spare }) => spare.splice(0, closings_at_once).map(closeRequest),
  },
  {
    name: 'closing an account with 50 000 paused subscriptions',
    connections: 1,
    each_round: true,
    prepare: (db, { spare, quick }) => addPaused(db, uuidOf(spare[0]!), quick ? 10_000 : 50_000),
    requests: ({ spare }) => spare.splice(0, 1).map(closeRequest),
  },
)

function closeRequest(session: AccountSession): string {
  return requestOf(session, 'DELETE', '/v1/account')
}

/** Runs the attacks one after another on one server and returns a figure for each. */
export function abuse(withTarget: WithTarget, options: { quick: boolean }): Promise<Figure[]> {
  return withTarget(async (target) => {
    const rounds = roundsOf(options.quick)
    const closed = rounds * (closings_at_once + 1)
    seed(target, 40 + closed, 400)
    const florin = await startFlorin({ ...target.env, FLORIN_RATE_LIMIT: '100' })
    try {
      const [attacker, ...others] = await openAccountSessions(target)
      const spare = others.splice(0, closed)
      const scene = { port: florin.port, target, attacker: attacker!, spare, quick: options.quick }
      const figures: Figure[] = []
      await payFor(scene.port, others, 3)
      for (const one of attacks) {
        const figure = await measure(one, scene, others)
        process.stderr.write(`${figure.name}: ${figure.value}\n`)
        figures.push(figure)
      }
      return figures
    } finally {
      await florin.stop()
    }
  })
}

async function measure(one: Attack, scene: Scene, sessions: AccountSession[]): Promise<Figure> {
  const { port, quick, target } = scene
  const rounds = roundsOf(quick)
  const seconds = quick ? 3 : 5
  const calm: number[] = []
  const attacked: number[] = []
  const seen: AttackResult[] = []
  const failed: number[] = []
  for (let round = 0; round < rounds; round++) {
    const is_prepared = round > 0 && one.each_round !== true
    if (!is_prepared) await withDatabase(target, async (db) => one.prepare?.(db, scene))
    calm.push((await payFor(port, sessions, seconds)).p50_ms)
    const plan: AttackOptions = {
      port,
      connections: one.connections,
      seconds: seconds + 2,
      requests: one.requests(scene),
      ...(one.rate === undefined ? {} : { rate: one.rate }),
      ...(one.each_round ? { once: true } : {}),
    }
    const attacking = attack(plan)
    // A one-shot attack is short, so it is measured from its start.
    if (!one.each_round) await sleep(1_000)
    const paid = await payFor(port, sessions, seconds)
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
    max: max_ratio,
    details: { calm_ms: calm, attacked_ms: attacked, attack: seen, failed_payments: failed },
  }
}

function roundsOf(quick: boolean): number {
  return quick ? 1 : 3
}

function payFor(port: number, sessions: AccountSession[], seconds: number) {
  const requests = sessions.map(createRequest)
  return load({ port, connections: 8, requests, status: 201, rate: payments_per_second, seconds })
}

function accountOf({ attacker }: Scene): string {
  return uuidOf(attacker)
}

function uuidOf({ account_id }: AccountSession): string {
  return findUuid('account', account_id)!
}

function scaled(count: number, { quick }: Scene): number {
  return quick ? count / 10 : count
}
