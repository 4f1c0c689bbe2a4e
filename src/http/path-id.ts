// An id in a path that cannot be one is unknown, and SPEC has the path before the body: such a
// request is refused before anybody reads what it carries.

import type { FastifyRequest } from 'fastify'
import { findUuid, type IdKind } from '../primitives/ids.ts'

/**
 * A preParsing hook. How an unknown id is refused is the noun's own business (one caller learns 404
 * where another learns 403), so the noun is asked, and refuses without looking for anything.
 */
export function judgePathId<Name extends string>(
  kind: IdKind,
  name: Name,
  ask: (request: FastifyRequest, id: string) => Promise<unknown>,
) {
  return async (request: FastifyRequest): Promise<undefined> => {
    const id = (request.params as Record<Name, string>)[name]
    if (findUuid(kind, id) === undefined) await ask(request, id)
  }
}
