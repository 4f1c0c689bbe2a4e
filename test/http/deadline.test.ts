// Whoever asks gets an answer in time; whoever is being answered is left alone.

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

test('a request that takes too long is answered, a stream under way is not cut off', async (t) => {
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

test('what a handler says after that goes nowhere, and no address into the log', async (t) => {
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line) => lines.push(line) } } })
  t.after(() => app.close())
  enforceDeadline(app, limits)
  const ended = Promise.withResolvers<void>()
  const late = async (say: () => unknown) => {
    await sleep(300)
    setImmediate(ended.resolve)
    return say()
  }
  app.get('/returned/:token', () => late(() => 'too late'))
  app.get('/sent/:token', (_, reply) => late(() => reply.send('too late')))
  app.get('/led/:token', (_, reply) => late(() => reply.redirect('/elsewhere', 303)))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  for (const way of ['returned', 'sent', 'led']) {
    const response = await fetch(`${url}/${way}/secret-of-a-link`, { redirect: 'manual' })
    assert.equal(response.status, 503)
  }
  await ended.promise
  await sleep(400)
  assert.deepEqual(lines, [])
})
