// What people do in a browser: they pay, and they sign in and out of the dashboard. None of it has
// an Idempotency-Key; what is sent twice must still happen once where it moves money.

import assert from 'node:assert/strict'
import { logInForCookie, same_origin_headers } from '../../../support/dashboard.ts'
import type { Recipe } from '../recipe.ts'

const form = { ...same_origin_headers, 'content-type': 'application/x-www-form-urlencoded' }

export const pageRecipes: Recipe[] = [
  {
    operation: 'payByCard',
    again: { status: 200, changes: 'nothing' },
    async prepare(world) {
      const { token, account_id } = await world.owner()
      const customer_email = `${world.unique()}@example.com`
      const asked = { account_id, amount: 990, currency: 'USD', customer_email }
      const { id, payment_url } = await world.make('/v1/payments', { token, body: asked })
      const before = await world.call('GET', '/v1/account/balance', { token })
      const isPaid = async () => {
        const found = await world.call('GET', `/v1/payments/${id}`, { token })
        assert.equal(found.body.status, 'succeeded')
        const after = await world.call('GET', '/v1/account/balance', { token })
        assert.equal(after.body.available, before.body.available + 990, 'paid once')
      }
      return {
        params: { token: new URL(payment_url).pathname.split('/').at(-1)! },
        headers: form,
        body: new URLSearchParams({ card: '4242424242424242' }),
        look: isPaid,
        atLast: isPaid,
      }
    },
  },
  {
    operation: 'dashboardLogIn',
    multi_step:
      'The session comes first. One whose cookie was never written opens nothing, and ends.',
    again: { status: 200, changes: 'the same once more' },
    async prepare(world) {
      const { email, password } = await world.owner()
      const body = { email, password }
      // The first one notes the address it came from; all others have the same effect.
      await world.make('/dashboard/api/session', { headers: same_origin_headers, body })
      return { headers: same_origin_headers, body }
    },
  },
  {
    operation: 'dashboardLogOut',
    multi_step: 'The session ends first. What is left of its cookie goes when it is sent again.',
    again: { status: 200, changes: 'something else' },
    async prepare(world) {
      const owner = await world.owner()
      const cookie = await logInForCookie((...asked) => world.call(...asked), owner)
      const headers = { ...same_origin_headers, cookie }
      const atLast = async () => {
        const { body } = await world.call('GET', '/dashboard/api/session', { headers })
        assert.equal(body.user, null)
      }
      return { headers, atLast }
    },
  },
]
