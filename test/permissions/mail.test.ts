// Who may read letters, which hold payment links and links that confirm an email.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { queueReceipt } from '../mail/outbox.ts'
import { startFlorin } from '../support/florin.ts'
import { Cast } from './cast.ts'
import { pin } from './grid.ts'

const florin = await startFlorin()
const cast = new Cast(florin)
const admin = await florin.people.admin()

async function newLetter(): Promise<string> {
  await queueReceipt(florin.db)
  return (await florin.call('GET', '/v1/mail?limit=1', { token: admin.token })).body.data[0].id
}

pin(florin, cast, {
  endpoint: 'GET /v1/mail',
  requests: async () => [{ method: 'GET', path: '/v1/mail' }],
  check: (answer) => assert.equal(answer.body.object, 'list'),
  grid: `
         mail
dead     dead
member   scope
owner    scope
lone     scope
platform scope
admin    ok`,
})

pin(florin, cast, {
  endpoint: 'GET /v1/mail/{id}',
  requests: async (_cast, object) => {
    const id = await newLetter()
    const ids: Record<string, string[]> = {
      known: [id],
      unknown: [toTypeId('letter', newUuid(Date.now()))],
      badid: ['x', id.toUpperCase(), id.replace('ltr', 'acct'), id.slice(0, -1), `${id}0`],
    }
    return ids[object]!.map((one) => ({ method: 'GET', path: `/v1/mail/${one}` }))
  },
  check: (answer) => assert.match(answer.body.id, /^ltr_/),
  grid: `
         known unknown badid
dead     dead
member   scope
owner    scope
lone     scope
platform scope
admin    ok    none    none`,
})
