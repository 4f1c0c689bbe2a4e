import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Florin, FlorinError, type Tokens } from '../../client/src/florin.ts'
import { startFlorin } from '../support/florin.ts'
import { recordSecretsIn } from '../support/secrets.ts'
import { startFaultProxy } from './fault-proxy.ts'

const server = await startFlorin()
const proxy = await startFaultProxy(server.url)

/** A client with a login, and all tokens that it passed to onTokens. */
async function logIn(base_url = server.url) {
  const owner = await server.people.owner()
  const stored: (Tokens | null)[] = []
  const onTokens = (tokens: Tokens | null) => {
    recordSecretsIn(tokens)
    stored.push(tokens)
  }
  const florin = new Florin({ base_url, onTokens })
  await florin.sessions.logIn({ email: owner.email, password: owner.password })
  return { owner, florin, stored }
}

/** Replaces the access token by an unknown one, as if it had expired. */
function expire(florin: Florin): Promise<void> {
  return florin.useTokens({ ...florin.tokens!, access_token: 'fat_no_longer' })
}

const failsWith = (code: string) => (error: unknown) =>
  error instanceof FlorinError && error.code === code

test('login sets the tokens and passes them to onTokens', async () => {
  const { owner, florin, stored } = await logIn()
  assert.equal((await florin.account.get()).id, owner.account_id)
  assert.deepEqual(stored, [florin.tokens])
  const later = new Florin({ base_url: server.url, tokens: stored[0]! })
  assert.equal((await later.account.get()).id, owner.account_id)
})

test('fifty concurrent requests with an expired token share one refresh', async () => {
  const { owner, florin, stored } = await logIn(proxy.url)
  await expire(florin)
  stored.length = 0
  proxy.requests.length = 0
  const calls = Array.from({ length: 50 }, () => florin.account.get())
  const accounts = await Promise.all(calls)
  assert.ok(accounts.every(({ id }) => id === owner.account_id))
  const refreshes = proxy.requests.filter((text) => text.startsWith('POST /v1/auth/refresh'))
  assert.equal(refreshes.length, 1)
  assert.equal(stored.length, 1)
  assert.deepEqual(stored[0], florin.tokens)
})

test('a change with an expired token is applied once, after the refresh', async () => {
  const { owner, florin } = await logIn()
  await expire(florin)
  const body = {
    account_id: owner.account_id,
    amount: 5,
    currency: 'USD',
    type: 'payment',
  } as const
  const made = await florin.transactions.create(body)
  const listed = await Array.fromAsync(florin.transactions.list())
  assert.deepEqual(
    listed.map(({ id }) => id),
    [made.id],
  )
})

test('consecutive refreshes use the newest token', async () => {
  const { florin, stored } = await logIn()
  for (let round = 0; round < 3; round += 1) {
    await expire(florin)
    await florin.account.get()
  }
  const [one, two] = await Promise.all([florin.sessions.refresh(), florin.sessions.refresh()])
  assert.equal(one.access_token, two.access_token)
  assert.equal(stored.at(-1)!.refresh_token, one.refresh_token)
  await florin.account.get()
})

test('the new tokens are stored before a request uses them', async () => {
  const { florin } = await logIn()
  const order: string[] = []
  const tokens = { ...florin.tokens!, access_token: 'fat_no_longer' }
  const slow = new Florin({
    base_url: server.url,
    tokens,
    onTokens: async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      order.push('stored')
    },
    fetch: (url, init) => {
      order.push(new URL(url).pathname)
      return fetch(url, init)
    },
  })
  await slow.account.get()
  assert.deepEqual(order, ['/v1/account', '/v1/auth/refresh', 'stored', '/v1/account'])
})

test('after the session ended, requests fail with invalid_grant, without tokens', async () => {
  const { owner, florin, stored } = await logIn()
  const elsewhere = await server.people.session(owner)
  const other = new Florin({ base_url: server.url, tokens: { access_token: elsewhere.token } })
  await other.sessions.end({ session_id: florin.tokens!.session_id })
  const calls = await Promise.allSettled([florin.account.get(), florin.account.getBalance()])
  for (const { status, reason } of calls as PromiseRejectedResult[]) {
    assert.equal(status, 'rejected')
    assert.ok(failsWith('invalid_grant')(reason), String(reason))
  }
  assert.equal(florin.tokens, null)
  assert.equal(stored.at(-1), null)
  await assert.rejects(florin.account.get(), failsWith('unauthorized'))
})

test('a request rejected after the failed refresh gets the same error', async () => {
  const { owner } = await logIn()
  const { token: access_token, refresh_token, session_id } = await server.people.session(owner)
  const over = Promise.withResolvers<void>()
  const late: typeof fetch = async (...args) => {
    const response = await fetch(...args)
    if (String(args[0]).endsWith('/balance')) await over.promise
    return response
  }
  const tokens = { access_token, refresh_token, session_id }
  const florin = new Florin({ base_url: server.url, fetch: late, tokens })
  const other = new Florin({ base_url: server.url, tokens: { access_token: owner.token } })
  await other.sessions.end({ session_id })
  const balance = florin.account.getBalance()
  await assert.rejects(florin.account.get(), failsWith('invalid_grant'))
  over.resolve()
  await assert.rejects(balance, failsWith('invalid_grant'))
})

test('never retries unauthenticated after the tokens are removed', async () => {
  const endings = {
    unauthorized: (florin: Florin) => florin.useTokens(null),
    invalid_grant: (florin: Florin) =>
      assert.rejects(florin.account.get(), failsWith('invalid_grant')),
  }
  for (const [code, end] of Object.entries(endings)) {
    const refuse = (error: string, status: number) =>
      Response.json({ error, message: 'No.' }, { status })
    const sent: string[] = []
    const florin = new Florin({
      base_url: 'http://florin.test',
      tokens: { access_token: 'fat_a', refresh_token: 'frt_b' },
      fetch: async (url, init) => {
        const { pathname } = new URL(url)
        if (pathname === '/v1/account') return refuse('unauthorized', 401)
        if (pathname === '/v1/auth/refresh') return refuse('invalid_grant', 401)
        sent.push(String(new Headers(init.headers).get('authorization')))
        if (sent.length > 1) return Response.json({ id: 'usr_new' }, { status: 201 })
        await end(florin)
        return refuse('unavailable', 503)
      },
    })
    const who = { email: 'ann@example.com', password: 'a long password', name: 'Ann' }
    await assert.rejects(florin.users.create(who), failsWith(code))
    assert.deepEqual(sent, ['Bearer fat_a'])
    // A call that starts without tokens is a sign-up.
    assert.equal((await florin.users.create(who)).id, 'usr_new')
    assert.deepEqual(sent, ['Bearer fat_a', 'null'])
  }
})

test('never retries in another session', async () => {
  const tokens = {
    with_id: [
      { access_token: 'fat_a', refresh_token: 'frt_a', session_id: 'ses_a' },
      { access_token: 'fat_b', refresh_token: 'frt_b', session_id: 'ses_b' },
    ],
    without_id: [{ access_token: 'fat_a' }, { access_token: 'fat_b' }],
  } as const
  const endings = {
    'a lost connection': () => Promise.reject(new TypeError('fetch failed')),
    'a token that has ended': async () =>
      Response.json({ error: 'unauthorized', message: 'No.' }, { status: 401 }),
  }
  for (const [how, [own, other]] of Object.entries(tokens)) {
    for (const [what, end] of Object.entries(endings)) {
      const sent: string[] = []
      const florin = new Florin({
        base_url: 'http://florin.test',
        tokens: own,
        fetch: async (_, init) => {
          sent.push(String(new Headers(init.headers).get('authorization')))
          if (sent.length > 1) return Response.json({ id: 'acc_b' })
          await florin.useTokens(other)
          return end()
        },
      })
      await assert.rejects(florin.account.get(), failsWith('unauthorized'), `${how}, ${what}`)
      assert.deepEqual(sent, ['Bearer fat_a'], `${how}, ${what}`)
      // New calls use the other session.
      assert.equal((await florin.account.get()).id, 'acc_b')
      assert.deepEqual(sent, ['Bearer fat_a', 'Bearer fat_b'])
    }
  }
})

test('a login during logout or refresh keeps its tokens', async () => {
  const a = { access_token: 'fat_a', refresh_token: 'frt_a', session_id: 'ses_a' }
  const b = { access_token: 'fat_b', refresh_token: 'frt_b', session_id: 'ses_b' }
  const florin = new Florin({
    base_url: 'http://florin.test',
    tokens: a,
    fetch: async (url, init) => {
      if (init.method === 'DELETE') {
        await florin.useTokens(b)
        return Response.json({ message: 'Ended.' })
      }
      assert.ok(url.endsWith('/v1/auth/refresh'))
      const { refresh_token } = JSON.parse(String(init.body))
      if (refresh_token === 'frt_a') await florin.useTokens(b)
      return Response.json({ ...a, access_token: `fat_for_${refresh_token}` })
    },
  })
  await florin.sessions.end()
  assert.deepEqual(florin.tokens, b)
  await florin.useTokens(a)
  const of_a = florin.sessions.refresh()
  await florin.useTokens(b)
  const of_b = florin.sessions.refresh()
  assert.equal((await of_a).access_token, 'fat_for_frt_a')
  assert.equal((await of_b).access_token, 'fat_for_frt_b')
})

test('a stream never reconnects in another session', async () => {
  const sent: string[] = []
  const florin = new Florin({
    base_url: 'http://florin.test',
    tokens: { access_token: 'fat_a' },
    fetch: async (_, init) => {
      sent.push(String(new Headers(init.headers).get('authorization')))
      await florin.useTokens({ access_token: 'fat_b' })
      return new Response('retry: 1\n\n', { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const events = florin.events.stream({ after: 4 })
  await assert.rejects(Array.fromAsync(events), failsWith('unauthorized'))
  assert.deepEqual(sent, ['Bearer fat_a'])
})

test('an unauthenticated request is never retried in a session', async () => {
  const sent: string[] = []
  const florin = new Florin({
    base_url: 'http://florin.test',
    fetch: async (_, init) => {
      sent.push(String(new Headers(init.headers).get('authorization')))
      if (sent.length === 1) await florin.useTokens({ access_token: 'fat_b' })
      if (sent.length === 1) throw new TypeError('fetch failed')
      return Response.json({ error: 'unauthorized', message: 'No.' }, { status: 401 })
    },
  })
  await assert.rejects(florin.account.get(), failsWith('unauthorized'))
  assert.deepEqual(sent, ['null', 'null'])
})

test('a retry uses tokens of the same session that were refreshed elsewhere', async () => {
  const sent: string[] = []
  const session = { refresh_token: 'frt_a', session_id: 'ses_a' }
  const florin = new Florin({
    base_url: 'http://florin.test',
    tokens: { ...session, access_token: 'fat_a' },
    fetch: async (_, init) => {
      sent.push(String(new Headers(init.headers).get('authorization')))
      if (sent.length > 1) return Response.json({ id: 'acc_a' })
      await florin.useTokens({ ...session, access_token: 'fat_newer' })
      throw new TypeError('fetch failed')
    },
  })
  assert.equal((await florin.account.get()).id, 'acc_a')
  assert.deepEqual(sent, ['Bearer fat_a', 'Bearer fat_newer'])
})

test('a refresh keeps the session, even if its tokens had no session_id', async () => {
  const sent: string[] = []
  const florin = new Florin({
    base_url: 'http://florin.test',
    tokens: { access_token: 'fat_a', refresh_token: 'frt_a' },
    fetch: async (url, init) => {
      const refreshed = { access_token: 'fat_new', refresh_token: 'frt_new', session_id: 'ses_a' }
      if (url.endsWith('/v1/auth/refresh')) return Response.json(refreshed)
      sent.push(String(new Headers(init.headers).get('authorization')))
      if (sent.length > 1) return Response.json({ id: 'acc_a' })
      return Response.json({ error: 'unauthorized', message: 'No.' }, { status: 401 })
    },
  })
  assert.equal((await florin.account.get()).id, 'acc_a')
  assert.deepEqual(sent, ['Bearer fat_a', 'Bearer fat_new'])
})

test('a failed refresh keeps the tokens for the next request', async () => {
  const { owner, florin } = await logIn(proxy.url)
  await expire(florin)
  const sent = proxy.requests.length
  proxy.canned.push({ status: 401, body: '{"error":"unauthorized","message":"It has ended."}' })
  proxy.canned.push({ status: 503, body: '{"error":"unavailable","message":"Later."}' })
  await assert.rejects(florin.account.get({ retries_max: 0 }), failsWith('unavailable'))
  assert.equal(proxy.requests.length - sent, 2, 'a refresh is never retried')
  assert.equal((await florin.account.get()).id, owner.account_id)
})

test('refreshes on 401 with invalid_token or without an error code', async () => {
  for (const challenge of ['Bearer error="invalid_token"', 'Bearer', undefined]) {
    const { owner, florin, stored } = await logIn(proxy.url)
    const headers = challenge === undefined ? {} : { 'www-authenticate': challenge }
    const body = '{"error":"unauthorized","message":"It has ended."}'
    proxy.canned.push({ status: 401, headers, body })
    assert.equal((await florin.account.get()).id, owner.account_id)
    assert.equal(stored.length, 2)
  }
})

test('does not refresh a token that lacks permission', async () => {
  const { florin } = await logIn(proxy.url)
  const before = florin.tokens
  proxy.requests.length = 0
  const refused = florin.emails.list()
  await assert.rejects(refused.then(), (error: FlorinError) => error.status! < 404)
  assert.deepEqual(florin.tokens, before)
  assert.ok(!proxy.requests.some((text) => text.includes('/v1/auth/refresh')))
})

test('aborting one caller does not abort a shared refresh', async () => {
  const { owner, florin } = await logIn()
  await expire(florin)
  const controller = new AbortController()
  const left = florin.account.get({ signal: controller.signal })
  const stayed = florin.account.get()
  setTimeout(() => controller.abort(new Error('Gone.')), 0)
  await assert.rejects(left, /Gone/)
  assert.equal((await stayed).id, owner.account_id)
})

test('ending the current session removes the tokens; ending another does not', async () => {
  const { owner, florin, stored } = await logIn()
  const other = await server.people.session(owner)
  await florin.sessions.end({ session_id: other.session_id })
  assert.equal(
    (await florin.sessions.list()).data.length,
    2,
    'the current one and the one of the fixture',
  )
  await florin.sessions.end()
  assert.equal(florin.tokens, null)
  assert.equal(stored.at(-1), null)
})

test('rejects api_key together with tokens, and an invalid base_url', async () => {
  const both = { base_url: server.url, api_key: 'sk_a', tokens: { access_token: 'fat_b' } }
  assert.throws(() => new Florin(both), /"api_key" or "tokens"/)
  assert.throws(() => new Florin({ base_url: 'pay.example.com' }), /"base_url" must be a URL/)
  const florin = new Florin({ base_url: server.url })
  await assert.rejects(florin.sessions.refresh(), /Log in first/)
})
