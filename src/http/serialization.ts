// Chooses the serializer of a response. Success responses use one compiled from their schema,
// which drops every field that the schema does not name. Errors use JSON.stringify (see
// errors.ts): their schemas are ten times as many, and compiling them took almost half of the
// 2.4 s of CPU time at startup.

import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Controller = NonNullable<FastifyServerOptions['schemaController']>
type Factory = NonNullable<Controller['compilersFactory']>
type BuildSerializer = NonNullable<Factory['buildSerializer']>

// Fastify's own compiler; serialization.test.ts checks that both use the same copy of it.
const buildDefault: BuildSerializer = SerializerSelector()

export const buildSerializer: BuildSerializer = (schemas, options) => (route) => {
  if (isError(route.httpStatus)) return JSON.stringify
  // Compiled on first use, for the same reason.
  let serialize: ReturnType<ReturnType<BuildSerializer>> | undefined
  return (response) => {
    // The compiler scans every shared schema that it receives, which doubled its time. Pass
    // only those that this response references.
    serialize ??= buildDefault(partsOf(route.schema, schemas as Named), options)(route)
    return serialize(response)
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

function isError(status: string | undefined): boolean {
  return status !== undefined && /^[45]/.test(status)
}
