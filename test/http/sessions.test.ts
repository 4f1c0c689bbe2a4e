import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { credentials } from '../support/people.ts'
import { watchRefusals } from '../support/watch-refusals.ts'

const florin = watchRefusals(await startFlorin())

test('login returns exactly the fields of the contract', async () => {
  const owner = await florin.people.owner()
  const response = await florin.call('POST', '/v1/auth/login', {
    body: { email: owner.email.toUpperCase(), password: owner.password },
  })
  assert.equal(response.status, 200)
  assert.deepEqual(Object.keys(response.body).sort(), [
    'access_token',
    'expires_in',
    'refresh_token',
    'session_id',
    'token_type',
    'user',
  ])
  assert.deepEqual(response.body.user, { id: owner.id, email: owner.email, name: null })
  assert.equal(response.body.expires_in, 3600)
})

test('login with an unknown email and with a wrong password get the same response', async () => {
  const owner = await florin.people.owner()
  const wrong = await florin.call('POST', '/v1/auth/login', {
    body: { email: owner.email, password: credentials('x').password },
  })
  const unknown = await florin.call('POST', '/v1/auth/login', { body: credentials('unknown') })
  assert.equal(wrong.status, 401)
  assert.equal(wrong.body.error, 'invalid_credentials')
  assert.equal(unknown.text, wrong.text)
})
