// A program that uses the installed SDK. It is compiled in strict mode in an empty project, without
// the types of Node.js, and runs on every installed Node.js version.

import {
  Florin,
  FlorinError,
  type FlorinEvent,
  type ListedTransaction,
  type Tokens,
  verifyWebhook,
} from 'florin-client'

export interface ConsumerTarget {
  /** The server, and the same server through a proxy that loses two responses. */
  url: string
  lossy_url: string
  email: string
  password: string
  account_id: string
  webhook: { body: string; headers: Record<string, string>; secret: string }
}

export async function useEverything(target: ConsumerTarget): Promise<Record<string, unknown>> {
  const stored: (Tokens | null)[] = []
  const florin = new Florin({
    base_url: target.lossy_url,
    onTokens: (tokens) => {
      stored.push(tokens)
    },
  })
  const { email, password } = target
  const direct = new Florin({ base_url: target.url })
  const session = await direct.sessions.logIn({ email, password })
  await florin.useTokens(session)
  const made = await makeTransactions(florin, target)
  return {
    user: session.user.email,
    made: made.length,
    listed: await listAll(florin),
    followed: await follow(florin),
    refreshed: await refreshTogether(florin),
    stored: stored.length,
    rejected: await provokeError(florin, target),
    aborted: await abort(florin),
    ...(await receive(target)),
  }
}

async function makeTransactions(
  florin: Florin,
  { account_id }: ConsumerTarget,
): Promise<ListedTransaction[]> {
  const item = { amount: 7500, currency: 'USD', type: 'payment' } as const
  const options = { retries_max: 5 }
  const body = { ...item, account_id, reference: 'one' }
  const first = await florin.transactions.create(body, options)
  const transactions = ['two', 'three'].map((reference) => ({ ...item, reference }))
  const { data } = await florin.transactions.createMany({ account_id, transactions }, options)
  return [first, ...data.flatMap(({ transaction }) => transaction ?? [])]
}

async function listAll(florin: Florin): Promise<(string | null)[]> {
  const references: (string | null)[] = []
  for await (const { reference } of florin.transactions.list({ limit: 2 })) {
    references.push(reference)
  }
  const page = await florin.account.listUsers()
  return [...references, page.data[0]?.email ?? 'no user']
}

async function follow(florin: Florin): Promise<(string | null)[]> {
  const references: (string | null)[] = []
  for await (const event of florin.events.stream({ after: 0 })) {
    references.push(...referencesOf(event))
    if (references.length === 3) break
  }
  return references
}

/** The type of an event determines the type of its data. */
function referencesOf(event: FlorinEvent): (string | null)[] {
  switch (event.type) {
    case 'transaction.created':
      return [event.data.reference]
    case 'account.created':
      return event.data.settings.currency === 'USD' ? [] : ['another currency']
    default:
      return []
  }
}

async function refreshTogether(florin: Florin): Promise<number> {
  await florin.useTokens({ ...florin.tokens!, access_token: 'fat_ended' })
  const calls = Array.from({ length: 10 }, () => florin.account.getBalance())
  const balances = await Promise.all(calls)
  return balances.filter(({ currency }) => currency === 'USD').length
}

async function provokeError(florin: Florin, { account_id }: ConsumerTarget): Promise<unknown> {
  try {
    const body = { account_id, amount: 7500, currency: 'USD', type: 'refund' } as const
    return await florin.transactions.create(body)
  } catch (error) {
    if (!(error instanceof FlorinError)) throw error
    // @ts-expect-error The compiler rejects an unknown code.
    if (error.code === 'insufficient_fund') return 'never'
    return error.code === 'insufficient_funds'
      ? [error.status, typeof error.request_id]
      : error.code
  }
}

async function abort(florin: Florin): Promise<string> {
  const controller = new AbortController()
  const call = florin.account.get({ signal: controller.signal })
  controller.abort()
  return call.then(
    () => 'completed',
    (error) => error.name,
  )
}

async function receive({ webhook }: ConsumerTarget): Promise<Record<string, unknown>> {
  const { body, headers, secret } = webhook
  const event = await verifyWebhook(body, headers, secret)
  const forged = await verifyWebhook(`${body} `, headers, secret).catch(({ code }) => code)
  return { received: event.type, forged }
}
