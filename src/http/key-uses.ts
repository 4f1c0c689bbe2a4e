// Remembers when each API key was last used. A refused request leaves nothing behind, not even
// that: only what was answered with a yes is a use.

import type { FastifyInstance } from 'fastify'
import { KeyUses } from '../api-keys/note-use.ts'
import type { Db } from '../postgres/database.ts'

export function noteKeyUses(app: FastifyInstance, db: Db): void {
  const uses = new KeyUses(db, (err) => app.log.warn({ err }, 'last uses of keys were lost'))
  app.addHook('onResponse', (request, reply, done) => {
    const { caller } = request
    if (caller?.kind === 'api_key' && reply.statusCode < 400) uses.note(caller.principal_id)
    done()
  })
  app.addHook('onClose', () => uses.close())
}
