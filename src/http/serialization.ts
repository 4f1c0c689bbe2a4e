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

export const buildSerializer: BuildSerializer = (schemas, options) => (route) => {
  if (isRefusal(route.httpStatus)) return JSON.stringify
  // Made when it is first needed, for the same reason.
  let made: ReturnType<ReturnType<BuildSerializer>> | undefined
  return (response) => {
    // It would look through every shared schema that it is given, and that took as long as the
    // rest: so it is given those that this answer is made of.
    made ??= buildUsual(partsOf(route.schema, schemas as Named), options)(route)
    return made(response)
  }
}

type Named = Record<string, unknown>

function partsOf(schema: unknown, all: Named, parts: Named = {}): Named {
  for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)/g)) {
    if (name! in parts || !(name! in all)) continue
    parts[name!] = all[name!]
    partsOf(all[name!], all, parts)
  }
  return parts
}

function isRefusal(status: string | undefined): boolean {
  return status !== undefined && /^[45]/.test(status)
}
