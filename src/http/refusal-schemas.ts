// The schemas of refusals are there to be read, in the OpenAPI file. Fastify would also compile a
// serialiser for each: some 500 that nothing ever calls, since every refusal leaves by one
// function, and they took four fifths of the CPU in which a server gets ready.

import type { FastifyInstance } from 'fastify'

type Responses = Record<string, unknown>

declare module 'fastify' {
  interface FastifyContextConfig {
    refusals?: Responses
  }
}

/** Call it before the first route. */
export function keepRefusalsApart(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const responses = route.schema?.response as Responses | undefined
    if (responses === undefined) return
    const { true: refusals = [], false: successes = [] } = Object.groupBy(
      Object.entries(responses),
      ([status]) => String(Number(status) >= 400) as 'true' | 'false',
    )
    route.schema = { ...route.schema, response: Object.fromEntries(successes) }
    route.config = { ...route.config, refusals: Object.fromEntries(refusals) }
  })
}

/** What the route may answer, refusals and all. */
export function everyResponse(
  schema: Record<string, unknown> | undefined,
  refusals: Responses | undefined,
): Record<string, unknown> {
  if (refusals === undefined) return { ...schema }
  return { ...schema, response: { ...(schema?.response as Responses), ...refusals } }
}
