// What users do in a browser: pay, and log in to and out of the dashboard. None of these requests
// has an Idempotency-Key, but repeating one must not move money twice.

import assert from 'node:assert/strict'
import { hiddenFields } from '../../../payments/customer.ts'
import { logInForCookie, same_origin_headers } from '../../../support/cookie-login.ts'
import { credentials } from '../../../support/people.ts'
import type { Recipe } from '../recipe.ts'
import { countResetRequest, counts_only } from './identity.ts'

const form = { ...same_origin_headers, 'content-type': 'application/x-www-form-urlencoded' }

export const pageRecipes: Recipe[] = [
  {
    operation: 'payByCard',
    on_repeat: { status: 200, changes: 'nothing' },
    async prepare(world) {
      const { token, account_id } = await world.owner()
      const customer_email = `${world.unique()}@example.com`
      const body = { account_id, amount: 990, currency: 'USD', customer_email }
      const { id, payment_url } = await world.create('/v1/payments', { token, body })
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
        verifyEffect: isPaid,
        verifyEnd: isPaid,
      }
    },
  },
  {
    operation: 'startLinkPayment',
    on_repeat: { status: 303, changes: 'nothing' },
    async prepare(world) {
      const { token } = await world.owner()
      const body = { title: 'Pottery class', amount: 7_500 }
      const { id, url } = await world.create('/v1/payment_links', { token, body })
      const { pathname } = new URL(url)
      const page = await world.call('GET', pathname)
      const email = `${world.unique()}@example.com`
      const isReserved = async () => {
        const found = await world.call('GET', `/v1/payment_links/${id}`, { token })
        assert.deepEqual([found.body.uses, found.body.reserved], [0, 1], 'reserved once')
      }
      return {
        params: { slug: pathname.split('/').at(-1)! },
        headers: form,
        body: new URLSearchParams({ ...hiddenFields(page.text), email }),
        verifyEffect: isReserved,
        verifyEnd: isReserved,
      }
    },
  },
  {
    operation: 'signUp',
    multi_step: 'The account is committed first. Without a session its owner logs in.',
    on_repeat: { status: 400, changes: 'nothing' },
    async prepare(world) {
      const who = credentials('crash')
      const verifyEnd = async () => {
        await world.create('/v1/auth/login', { body: who })
      }
      const fields = { ...who, name: world.unique(), type: 'business' }
      return { headers: form, body: new URLSearchParams(fields), verifyEnd }
    },
  },
  {
    operation: 'askForReset',
    unreachable: { 'after the lock': counts_only },
    // The request is stored once; only the limit of the address counts both.
    on_repeat: { status: 202, changes: 'something else' },
    async prepare(world) {
      const { email } = await world.people.lone()
      await countResetRequest(world)
      return { headers: form, body: new URLSearchParams({ email }) }
    },
  },
  {
    operation: 'dashboardConfirm',
    on_repeat: { status: 200, changes: 'the same once more' },
    async prepare(world) {
      const owner = await world.owner()
      const cookie = await logInForCookie((...args) => world.call(...args), owner)
      const { password } = owner
      return { headers: { ...same_origin_headers, cookie }, body: { password } }
    },
  },
  {
    operation: 'dashboardLogIn',
    multi_step:
      'The session is committed first. Without its cookie it gives no access, and expires.',
    on_repeat: { status: 200, changes: 'the same once more' },
    async prepare(world) {
      const { email, password } = await world.owner()
      const body = { email, password }
      // The first login also stores the client's address; all others have the same effect.
      await world.create('/dashboard/api/session', { headers: same_origin_headers, body })
      return { headers: same_origin_headers, body }
    },
  },
  {
    operation: 'dashboardLogOut',
    multi_step: 'The session ends first. The cookie row is deleted when the request is repeated.',
    on_repeat: { status: 200, changes: 'something else' },
    async prepare(world) {
      const owner = await world.owner()
      const cookie = await logInForCookie((...args) => world.call(...args), owner)
      const headers = { ...same_origin_headers, cookie }
      const verifyEnd = async () => {
        const { body } = await world.call('GET', '/dashboard/api/session', { headers })
        assert.equal(body.user, null)
      }
      return { headers, verifyEnd }
    },
  },
]
