// Which function writes an answer. Successes are written by one made from their schema, which
// leaves out every field that the schema does not name. Refusals are written as they are (see
// errors.ts), so nothing is made for them: there are ten times as many, and making them took almost
// half of the 2.4 seconds of processor time of a start.

import { createRequire } from 'node:module'
import type { FastifyServerOptions } from 'fastify'

type Controller = NonNullable<FastifyServerOptions['schemaController']>
type Factory = NonNullable<Controller['compilersFactory']>
type BuildSerializer = NonNullable<Factory['buildSerializer']>

// Fastify's own, of the version that it brings along.
const requireAsFastify = createRequire(createRequire(import.meta.url).resolve('fastify'))
const { SerializerSelector } = requireAsFastify('@fastify/fast-json-stringify-compiler')
const buildUsual: BuildSerializer = SerializerSelector()

export const buildSerializer: BuildSerializer = (schemas, options) => {
  const makeUsual = buildUsual(schemas, options)
  return (route) => (isRefusal(route.httpStatus) ? JSON.stringify : makeUsual(route))
}

function isRefusal(status: string | undefined): boolean {
  return status !== undefined && /^[45]/.test(status)
}
