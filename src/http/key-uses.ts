// Records when each API key was last used. Rejected requests do not count.

import type { FastifyInstance } from 'fastify'
import { KeyUses } from '../identity/api-keys/key-uses.ts'
import type { Db } from '../postgres/database.ts'
import type { ResponseEnds } from './response-ends.ts'

export function recordKeyUses(app: FastifyInstance, ends: ResponseEnds, db: Db): void {
  const uses = new KeyUses(db, (err) =>
    app.log.warn({ err }, 'failed to record last use of API keys'),
  )
  ends.add(({ caller }, reply) => {
    if (caller?.kind === 'api_key' && reply.statusCode < 400) uses.note(caller.principal_id)
  })
  app.addHook('onClose', () => uses.close())
}
