// No operation is deprecated today, so these tests add one to a small server.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { describeApi } from '../../src/http/openapi/openapi.ts'
import { addRoutes, type Route, route } from '../../src/http/route.ts'

const deprecated = { since: '2026-11-18', sunset: '2027-06-01', use: '`GET /v1/new`' }

function oldRoute(dates: Partial<typeof deprecated> = {}): Route {
  return route({
    method: 'GET',
    url: '/v1/old',
    access: { token: 'never' },
    deprecated: { ...deprecated, ...dates },
    schema: {
      tags: ['Health'],
      operationId: 'getOld',
      summary: 'Get the old object',
      description: 'Returns it.',
      querystring: Type.Object({ fail: Type.Optional(Type.Boolean()) }),
    },
    success: [200, 'The object.', Type.Object({ ok: Type.Boolean({ examples: [true] }) })],
    refusals: [],
    handler: async ({ query }) => {
      if (query.fail) throw new Error('failed')
      return { ok: true }
    },
  })
}

const app = Fastify()
after(() => app.close())
await describeApi(app, { version: '0.2.0', url: 'http://127.0.0.1:4000' })
addRoutes(app, {} as never, [oldRoute()])
await app.ready()

test('every response of a deprecated operation has the dates', async () => {
  for (const [url, status] of [
    ['/v1/old', 200],
    ['/v1/old?fail=true', 500],
  ] as const) {
    const { headers, statusCode } = await app.inject(url)
    assert.equal(statusCode, status)
    assert.equal(headers.deprecation, '@1794960000')
    assert.equal(new Date(1_794_960_000_000).toISOString(), '2026-11-18T00:00:00.000Z')
    assert.equal(headers.sunset, 'Tue, 01 Jun 2027 00:00:00 GMT')
    assert.equal(headers.link, '</docs/concepts/versions>; rel="deprecation"; type="text/html"')
  }
})

test('the API description marks it, and names the replacement', () => {
  const { paths } = app.swagger() as unknown as { paths: Record<string, Record<string, object>> }
  const operation = paths['/v1/old']!.get as { deprecated: boolean; description: string }
  assert.equal(operation.deprecated, true)
  assert.equal(
    operation.description,
    'Returns it.\n\nDeprecated since 2026-11-18: use `GET /v1/new`. ' +
      'It may be removed on 2027-06-01 or later.',
  )
})

test('an operation cannot be removed within 180 days', () => {
  assert.throws(() => oldRoute({ sunset: '2027-05-01' }), /at least 180 days after "since"/)
  assert.throws(() => oldRoute({ sunset: 'soon' }), /at least 180 days/)
})
