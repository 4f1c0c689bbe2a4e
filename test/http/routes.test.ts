// Conventions of the route objects in src/http/routes/.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from '../../src/http/route.ts'
import { sourceFiles } from '../support/source-tree.ts'

const modules: Record<string, unknown>[] = await Promise.all(
  sourceFiles('src/http/routes').map((path) => import(`../../${path}`)),
)
const exported = modules.flatMap((module) => Object.entries(module))
const lists = exported.filter(([name]) => name.endsWith('Routes'))
const routes = exported.filter((entry): entry is [string, Route] => entry[0].endsWith('Route'))

test('every exported route is in the list of its file, and lists contain nothing else', () => {
  const listed = lists.flatMap(([, list]) => (Array.isArray(list) ? list : []))
  assert.deepEqual(new Set(listed), new Set(routes.map(([, route]) => route)))
  assert.equal(listed.length, routes.length)
})

test('an operation is exported under its operationId, and stack traces contain it', () => {
  const operations = routes.flatMap(([name, { schema, handler }]) =>
    'operationId' in schema ? [[name, schema.operationId, handler.name]] : [],
  )
  assert.ok(operations.length > 60, String(operations.length))
  for (const [name, operation_id, handler] of operations) {
    assert.deepEqual([name, handler], [`${operation_id}Route`, operation_id])
  }
})

test('stack traces contain the operation in which an error was thrown', async () => {
  const [, route] = routes.find(([name]) => name === 'listUsersRoute')!
  const failing = async () => route.handler({} as never, {} as never, {} as never)
  await assert.rejects(failing, (error: Error) => /listUsers \[as handler\]/.test(error.stack!))
})
