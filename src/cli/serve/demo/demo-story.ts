// The parts of the demo account's story. Each part runs once per simulated day and calls the API
// like the owner, the customers or the worker would.

import type { Random } from '../../../operations/seeding/random.ts'
import type { Db } from '../../../postgres/database.ts'
import { findUuid } from '../../../primitives/ids.ts'
import { deliverAccount } from '../../../webhooks/sending/deliver-account.ts'
import type { DemoServer } from './demo-server.ts'

export interface DemoContext {
  server: DemoServer
  random: Random
  account_id: string
  /** What happens on a later day, such as a refund of today's payment. */
  later: { days_ago: number; act: () => Promise<void> }[]
}

type DemoPart = (context: DemoContext, days_ago: number) => Promise<void>

const currency = 'USD'

const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  poor: '4000000000009995',
  disputed: '4000000000000259',
}

const customers = [
  'ann.keller@example.com',
  'ben.okafor@example.com',
  'carla.rossi@example.org',
  'david.lee@example.net',
  'emma.hansen@example.com',
  'farah.khan@example.org',
  'grace.walker@example.net',
  'hugo.moreau@example.com',
  'ines.costa@example.org',
  'jonas.weber@example.net',
  'kaito.tanaka@example.com',
  'leila.adeyemi@example.org',
] as const

const products = [
  ['Stoneware mug', 2_400],
  ['Set of four bowls', 9_800],
  ['Dinner plates, set of six', 16_500],
  ['Teapot', 7_200],
  ['Vase, celadon', 5_600],
  ['Workshop, one evening', 8_500],
  ['Wedding registry, deposit', 25_000],
  ['Espresso cups, pair', 3_800],
] as const

interface PaymentRequest {
  id: string
  payment_url: string
  amount: number
}

/** Signs up, and sets up the account as its owner. */
export async function openDemo(
  context: DemoContext,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const { server } = context
  const settings = { currency, timezone: 'America/New_York', language: 'en' }
  const name = 'Juniper Ceramics'
  const account = { email, password, name, type: 'business', settings }
  context.account_id = (await server.call('POST', '/v1/accounts', account)).id
  await server.logIn(email, password)
  const origin = 'https://shop.juniper-ceramics.example'
  await server.call('POST', '/v1/account/return_origins', { origin })
}

/** Ends the session of the story, so that the account starts without one. */
export async function endDemo({ server }: DemoContext): Promise<void> {
  await server.call('DELETE', '/v1/auth/session', {})
}

/** Payment requests of the shop: one to three a day, most of them paid at once. */
const sellToCustomers: DemoPart = async (context, days_ago) => {
  const { server, random } = context
  const count = 1 + random.below(3)
  for (let n = 0; n < count; n++) {
    const request = await requestPayment(context, random.pick(products))
    const drawn = random.below(100)
    if (drawn < 76) await server.pay(request.payment_url, cards.good)
    else if (drawn < 82) await payAfterDecline(context, request)
    else if (drawn < 90) await payThenRefund(context, request, days_ago)
    else if (drawn < 94) await server.call('POST', `/v1/payments/${request.id}/cancel`)
    // The rest stays pending, gets a reminder, and expires after thirty days.
  }
}

async function requestPayment(
  { server, random, account_id }: DemoContext,
  [product, price]: (typeof products)[number],
): Promise<PaymentRequest> {
  return server.call('POST', '/v1/payments', {
    account_id,
    amount: price * (random.chance(0.2) ? 2 : 1),
    currency,
    customer_email: random.pick(customers),
    reference: `Order ${10_000 + random.below(90_000)}: ${product}`,
    metadata: { channel: random.pick(['web', 'web', 'counter']) },
  })
}

async function payAfterDecline({ server }: DemoContext, { payment_url }: PaymentRequest) {
  await server.pay(payment_url, cards.poor)
  await server.pay(payment_url, cards.good)
}

/** Half of the refunds are full, and half are for one of several items. */
async function payThenRefund(context: DemoContext, request: PaymentRequest, days_ago: number) {
  const { server, random } = context
  await server.pay(request.payment_url, cards.good)
  const amount = random.chance(0.5) ? request.amount : Math.round(request.amount / 4)
  const refund = { account_id: context.account_id, amount, currency, type: 'refund' }
  const act = () => server.call('POST', '/v1/transactions', { ...refund, reference: request.id })
  context.later.push({ days_ago: Math.max(0, days_ago - 1 - random.below(4)), act })
}

const doWhatWasPlanned: DemoPart = async (context, days_ago) => {
  const due = context.later.filter((one) => one.days_ago === days_ago)
  context.later = context.later.filter((one) => one.days_ago !== days_ago)
  for (const { act } of due) await act()
}

/** One customer runs out of cards, twice: ten declines fail a request. */
const failRequests: DemoPart = async (context, days_ago) => {
  if (days_ago !== 40 && days_ago !== 0) return
  const { payment_url } = await requestPayment(context, products[2])
  for (let n = 0; n < 10; n++) await context.server.pay(payment_url, cards.declined)
}

/** Three customers dispute a payment: one dispute is lost, one is won, and one is open. */
const disputePayments: DemoPart = async (context, days_ago) => {
  const { server } = context
  if ([52, 24, 1].includes(days_ago)) {
    const { payment_url } = await requestPayment(context, products[1])
    await server.pay(payment_url, cards.disputed)
  }
  if (days_ago === 48) await resolveDispute(server, 'lost')
  if (days_ago === 20) await resolveDispute(server, 'won')
}

async function resolveDispute(server: DemoServer, status: string): Promise<void> {
  const { data } = await server.call('GET', '/v1/disputes?status=open&limit=1')
  await server.call('POST', `/v1/disputes/${data[0].id}/resolve`, { status })
}

const plans = [
  { starts: 70, interval: 'month', amount: 4_900, reference: 'Studio membership', ends: undefined },
  { starts: 65, interval: 'month', amount: 4_900, reference: 'Studio membership', ends: undefined },
  { starts: 44, interval: 'week', amount: 1_200, reference: 'Kiln shelf', ends: undefined },
  { starts: 58, interval: 'month', amount: 8_900, reference: 'Studio, key holder', ends: 'pause' },
  { starts: 62, interval: 'month', amount: 2_900, reference: 'Glaze of the month', ends: 'cancel' },
] as const

/** Subscriptions, and their payment requests as they become due. */
const runSubscriptions: DemoPart = async (context, days_ago) => {
  const { server } = context
  for (const [at, { starts, ends, ...plan }] of plans.entries()) {
    if (starts !== days_ago) continue
    const body = { ...plan, currency, customer_email: customers[at] }
    const { id } = await server.call('POST', '/v1/subscriptions', body)
    const act = () =>
      ends === 'pause'
        ? server.call('PATCH', `/v1/subscriptions/${id}`, { status: 'paused' })
        : server.call('DELETE', `/v1/subscriptions/${id}`)
    if (ends !== undefined) context.later.push({ days_ago: 18, act })
  }
  await paySubscriptions(server)
}

async function paySubscriptions(server: DemoServer): Promise<void> {
  const { data } = await server.call('GET', '/v1/payments?status=pending&limit=100')
  for (const { metadata, payment_url } of data) {
    if (metadata.subscription) await server.pay(payment_url, cards.good)
  }
}

/** Two people of the team, and keys for programs: one in use, one read-only, one revoked. */
const addTeamAndKeys: DemoPart = async ({ server, random }, days_ago) => {
  // The owner of the demo can set a password; these are not for logging in.
  const password = `demo-${random.below(1e9)}-${random.below(1e9)}`
  const member = (email: string, name: string) =>
    server.call('POST', '/v1/users', { email, name, password })
  const key = (name: string, scopes: string[]) =>
    server.call('POST', '/v1/api_keys', { name, scopes })
  if (days_ago === 73) await member('mina@juniper-ceramics.example', 'Mina Okafor')
  if (days_ago === 33) await member('theo@juniper-ceramics.example', 'Theo Lindqvist')
  if (days_ago === 72) await key('Web shop', ['payments:read', 'payments:write'])
  if (days_ago === 45) await key('Accounting export', ['transactions:read', 'balance:read'])
  if (days_ago === 50) {
    const { id } = await key('Old shop', ['*'])
    await server.call('DELETE', `/v1/api_keys/${id}`)
  }
}

/** The brand on pages and emails, a payment link for the website, and an open invitation. */
const presentBusiness: DemoPart = async ({ server }, days_ago) => {
  if (days_ago === 71) {
    await server.call('PATCH', '/v1/account/branding', {
      accent_color: '#8a4b2a',
      support_email: 'hello@juniper-ceramics.example',
      website: 'https://juniper-ceramics.example',
    })
  }
  if (days_ago === 60) {
    const link = { title: 'Pottery class, Saturday morning', amount: 8_500, max_uses: 12 }
    await server.call('POST', '/v1/payment_links', link)
    const gift = { title: 'Support the studio', amount_min: 500, amount_max: 50_000 }
    await server.call('POST', '/v1/payment_links', gift)
  }
  if (days_ago === 1) {
    const person = { email: 'noor@juniper-ceramics.example', role: 'viewer' }
    await server.call('POST', '/v1/account/invitations', person)
  }
}

const receivers = {
  working: 'https://shop.juniper-ceramics.example/webhooks/florin',
  failing: 'https://accounting.juniper-ceramics.example/hooks',
}

/** Transactions that other programs recorded: a transfer, a payout that failed, a pending one. */
const recordTransactions: DemoPart = async ({ server, account_id }, days_ago) => {
  const body = { account_id, currency }
  if (days_ago === 66) {
    const credit = { ...body, amount: 150_000, type: 'credit', reference: 'Opening credit' }
    await server.call('POST', '/v1/transactions', credit)
  }
  if (days_ago === 30) {
    const metadata = { sandbox_outcome: 'failed' }
    const payment = {
      ...body,
      amount: 42_000,
      type: 'payment',
      reference: 'Gallery sale',
      metadata,
    }
    await server.call('POST', '/v1/transactions', payment)
  }
  if (days_ago === 0) {
    const payment = { ...body, amount: 31_500, type: 'payment', reference: 'Gallery sale, fall' }
    await server.call('POST', '/v1/transactions', payment)
  }
}

/** The endpoints exist in real time, so they are added on the last days. */
const addWebhookEndpoints: DemoPart = async ({ server }, days_ago) => {
  if (days_ago !== 2) return
  const { working, failing } = receivers
  const create = (url: string, events: string[]) =>
    server.call('POST', '/v1/webhook_endpoints', { url, events })
  await create(working, ['payment.*', 'subscription.*'])
  await create(failing, ['transaction.*', 'dispute.*'])
}

/** Records what the receivers returned. One of them fails. */
export async function deliverDemoWebhooks(db: Db, account_id: string): Promise<void> {
  await deliverAccount(db, findUuid('account', account_id)!, (url) =>
    url === receivers.failing
      ? { status: 500, body: 'Internal Server Error: no such ledger period', duration_ms: 1_840 }
      : { status: 200, body: 'ok', duration_ms: 87 },
  )
}

/** In the order of a day. */
export const demoParts: DemoPart[] = [
  addWebhookEndpoints,
  addTeamAndKeys,
  presentBusiness,
  recordTransactions,
  sellToCustomers,
  runSubscriptions,
  disputePayments,
  failRequests,
  doWhatWasPlanned,
]
