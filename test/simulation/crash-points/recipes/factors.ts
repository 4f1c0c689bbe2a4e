// Authenticator apps, recovery codes and passkeys.

import assert from 'node:assert/strict'
import { Authenticator } from '../../../support/authenticator.ts'
import { same_origin_headers } from '../../../support/cookie-login.ts'
import type { Person } from '../../../support/people.ts'
import { recordSecretsIn } from '../../../support/secrets.ts'
import { enrollTotp, totpCode } from '../../../support/totp.ts'
import type { PreparedRequest, Recipe } from '../recipe.ts'
import type { World } from '../world.ts'

const one_insert = 'It is one INSERT, without a transaction: it is executed or not.'
const no_lock = 'It only inserts a row, which no other transaction can see, so it locks none.'

const only_insert = {
  'after the lock': one_insert,
  'before commit': one_insert,
  'after commit': one_insert,
}

const passkeys = '/v1/user/factors/passkeys'

/** Verifies how many factors and recovery codes the user has. */
function hasFactors(world: World, token: string, factors: number) {
  return async (): Promise<void> => {
    const found = await world.call('GET', '/v1/user/factors', { token })
    assert.equal(found.body.data.length, factors)
    assert.equal(found.body.recovery_codes_left, factors === 0 ? 0 : 10)
  }
}

async function newCredential(world: World, authenticator: Authenticator, token: string) {
  const options = await world.create(`${passkeys}/options`, { token, body: {} })
  return authenticator.create(options.public_key)
}

/** A user with a passkey, and the passkey. */
async function passkeyUser(world: World): Promise<{ person: Person; passkey: Authenticator }> {
  const person = await world.people.lone()
  const { email, password, token } = person
  // The first login also stores the client's address; all others have the same effect.
  await world.create('/v1/auth/login', { body: { email, password } })
  const passkey = new Authenticator(world.public_url)
  const credential = await newCredential(world, passkey, token)
  recordSecretsIn(await world.create(passkeys, { token, body: { credential } }))
  return { person, passkey }
}

async function passkeyLogin(world: World): Promise<PreparedRequest> {
  const { passkey } = await passkeyUser(world)
  const options = await world.create('/v1/auth/passkeys/options', { body: {} })
  return { body: { credential: passkey.get(options.public_key) } }
}

export const factorRecipes: Recipe[] = [
  {
    operation: 'startTotp',
    async prepare(world) {
      const { token } = await world.people.lone()
      const verifyEffect = async ({ secret }: { secret: string }) => {
        // A wrong code would change nothing, and the right one would end the setup.
        assert.match(totpCode(secret), /^\d{6}$/)
        await hasFactors(world, token, 0)()
      }
      return { token, body: {}, verifyEffect }
    },
  },
  {
    operation: 'confirmTotp',
    async prepare(world) {
      const { token } = await world.people.lone()
      const started = await world.create('/v1/user/factors/totp', { token, body: {} })
      recordSecretsIn(started)
      const body = { code: totpCode(started.secret) }
      return { token, body, verifyEffect: hasFactors(world, token, 1) }
    },
  },
  {
    operation: 'deleteFactor',
    async prepare(world) {
      const { token } = await world.people.lone()
      const { factor_id } = await enrollTotp((...args) => world.call(...args), { token })
      return { params: { factor_id }, token, verifyEffect: hasFactors(world, token, 0) }
    },
  },
  {
    operation: 'createRecoveryCodes',
    async prepare(world) {
      const { person } = await passkeyUser(world)
      const { token } = person
      return { token, body: {}, verifyEffect: hasFactors(world, token, 1) }
    },
  },
  {
    operation: 'getPasskeyOptions',
    unreachable: { 'after the lock': no_lock },
    async prepare(world) {
      const { token } = await world.people.lone()
      const verifyEffect = async ({ public_key }: PasskeyOptions) => {
        const credential = new Authenticator(world.public_url).create(public_key)
        // Used once: a second check of the same options would be rejected.
        const added = await world.call('POST', passkeys, { token, body: { credential } })
        assert.ok([201, 400].includes(added.status), added.text)
        recordSecretsIn(added.body)
        await hasFactors(world, token, 1)()
      }
      return { token, body: {}, verifyEffect }
    },
  },
  {
    operation: 'addPasskey',
    async prepare(world) {
      const { token } = await world.people.lone()
      const credential = await newCredential(world, new Authenticator(world.public_url), token)
      return { token, body: { credential }, verifyEffect: hasFactors(world, token, 1) }
    },
  },
  {
    operation: 'getPasskeyLoginOptions',
    unreachable: only_insert,
    on_repeat: { status: 200, changes: 'the same once more' },
    async prepare(world) {
      const { passkey } = await passkeyUser(world)
      const verifyEffect = async ({ public_key }: PasskeyOptions) => {
        const body = { credential: passkey.get(public_key) }
        await world.create('/v1/auth/passkeys/verify', { body })
      }
      return { body: {}, verifyEffect }
    },
  },
  {
    operation: 'logInWithPasskey',
    // A signature works once.
    on_repeat: { status: 401, changes: 'nothing' },
    prepare: passkeyLogin,
  },
  {
    operation: 'dashboardPasskeyOptions',
    unreachable: only_insert,
    on_repeat: { status: 200, changes: 'the same once more' },
    prepare: async () => ({ headers: same_origin_headers, body: {} }),
  },
  {
    operation: 'dashboardPasskeyLogIn',
    multi_step:
      'The session is committed first. Without its cookie it gives no access, and expires.',
    on_repeat: { status: 401, changes: 'nothing' },
    prepare: async (world) => ({ headers: same_origin_headers, ...(await passkeyLogin(world)) }),
  },
]

interface PasskeyOptions {
  public_key: Parameters<Authenticator['create']>[0]
}
