// Requests that take too long get a 503. Responses that have started are not interrupted.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { enforceDeadline } from '../../src/http/deadline.ts'

const limits = { respond_within_ms: 100, check_every_ms: 20 }

async function* slowly(): AsyncGenerator<string> {
  for (const word of ['one ', 'two ', 'three']) {
    yield word
    await sleep(150)
  }
}

test('returns 503 for a request over the deadline, and does not interrupt a stream', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  enforceDeadline(app, limits)
  app.get('/never', async () => sleep(5_000, 'too late', { ref: false }))
  app.get('/stream', async (_, reply) => reply.type('text/plain').send(Readable.from(slowly())))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  const late = await fetch(`${url}/never`)
  assert.equal(late.status, 503)
  assert.equal(((await late.json()) as { error: string }).error, 'unavailable')

  const streamed = await fetch(`${url}/stream`)
  assert.equal(streamed.status, 200)
  assert.equal(await streamed.text(), 'one two three')
})

test('discards the late result of a handler and logs no URL', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line) => lines.push(line) } } })
  t.after(() => app.close())
  enforceDeadline(app, limits)
  const ended = Promise.withResolvers<void>()
  const late = async (respond: () => unknown) => {
    await sleep(300)
    setImmediate(ended.resolve)
    return respond()
  }
  app.get('/returned/:token', () => late(() => 'too late'))
  app.get('/sent/:token', (_, reply) => late(() => reply.send('too late')))
  app.get('/redirected/:token', (_, reply) => late(() => reply.redirect('/elsewhere', 303)))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  for (const way of ['returned', 'sent', 'redirected']) {
    const response = await fetch(`${url}/${way}/secret-of-a-link`, { redirect: 'manual' })
    assert.equal(response.status, 503)
  }
  await ended.promise
  await sleep(400)
  assert.deepEqual(lines, [])
})
