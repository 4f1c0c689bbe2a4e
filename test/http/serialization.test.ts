import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import Fastify from 'fastify'
import { buildSerializer } from '../../src/http/serialization.ts'
import { contractOf } from '../support/relies-on.ts'

const named = { type: 'object', properties: { name: { type: 'string' } } }

function serializerFor(httpStatus: string): (response: unknown) => string {
  const make = buildSerializer({}, undefined)
  return make({ schema: named, method: 'GET', url: '/', httpStatus })
}

test('a success has only the fields that its schema names', () => {
  assert.equal(serializerFor('200')({ name: 'Ann', secret: 'x' }), '{"name":"Ann"}')
})

test('errors use JSON.stringify and no compiled serializer', () => {
  for (const status of ['400', '404', '409', '500', '503', '4xx']) {
    assert.equal(serializerFor(status), JSON.stringify)
  }
})

test('Fastify uses these serializers', async () => {
  const app = Fastify({ schemaController: { compilersFactory: { buildSerializer } } })
  app.get('/', { schema: { response: { 200: named } } }, async () => ({ name: 'Ann', secret: 'x' }))
  assert.equal((await app.inject('/')).body, '{"name":"Ann"}')
  await app.close()
})

// A second copy would be loaded and compiled at every start, and could behave differently.
test('Fastify depends on the same version of the compiler', () => {
  const name = '@fastify/fast-json-stringify-compiler'
  const require = createRequire(import.meta.url)
  const resolved = createRequire(require.resolve('fastify')).resolve(name)
  contractOf('fastify')(resolved, require.resolve(name), `one copy of ${name}`)
})

test('resolves shared schemas at any depth', () => {
  const list = {
    type: 'object',
    properties: { data: { type: 'array', items: { $ref: 'Outer' } } },
  }
  const schemas = {
    Outer: { $id: 'Outer', type: 'object', properties: { inner: { $ref: 'Inner#' } } },
    Inner: { $id: 'Inner', ...named },
    Other: { $id: 'Other', type: 'object', properties: { outer: { $ref: 'Outer' } } },
  }
  const write = buildSerializer(
    schemas,
    undefined,
  )({
    schema: list,
    method: 'GET',
    url: '/',
    httpStatus: '200',
  })
  const response = { data: [{ inner: { name: 'Ann', secret: 'x' }, secret: 'y' }] }
  assert.equal(write(response), '{"data":[{"inner":{"name":"Ann"}}]}')
})
