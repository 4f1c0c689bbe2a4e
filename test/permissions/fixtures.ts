// Every caller and object that a permission can be about, by name. Each is created on first use, so
// a cell that destroys something can use separate fixtures.

import assert from 'node:assert/strict'
import { newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { newSecret, sha256 } from '../../src/primitives/secrets.ts'
import { makeKey } from '../identity/api-keys/keys.ts'
import type { CallOptions } from '../support/call.ts'
import type { Florin } from '../support/florin.ts'
import type { Owner, Person } from '../support/people.ts'

/** Callers with a missing or invalid token. All get one response, except those that sent a key. */
export const invalidCallers = {
  no_token: async () => undefined,
  bad_token: async () => `Bearer ${newSecret('fat_')}`,
  malformed_token: async () => 'Bearer fat_short',
  empty_token: async () => 'Bearer',
  another_scheme: async (fixtures) => `Basic ${(await fixtures.person('owner')).token}`,
  two_tokens: async (fixtures) => {
    const { token } = await fixtures.person('owner')
    return `Bearer ${token} ${token}`
  },
  expired_token: (fixtures) => fixtures.expired(),
  revoked_token: (fixtures) => fixtures.revoked(),
  refresh_token: async (fixtures) => `Bearer ${(await fixtures.person('owner')).refresh_token}`,
  token_of_suspended: (fixtures) => fixtures.withStatus('suspended'),
  token_of_pending: (fixtures) => fixtures.withStatus('pending'),
  token_of_deleted: (fixtures) => fixtures.ofDeleted(),
  token_of_closed_account: (fixtures) => fixtures.ofClosedAccount(),
  unknown_key: async () => `Bearer ${newSecret('sk_sandbox_')}`,
  revoked_key: (fixtures) => fixtures.revokedKey(),
} satisfies Record<string, (fixtures: Fixtures) => Promise<string | undefined>>

const keyCreators: Record<string, string> = { key: 'owner', key2: 'owner2', platform_key: 'admin' }

const malformedBodies = [
  'x',
  '01h455vb4pex5vsknk084sn02',
  '01h455vb4pex5vsknk084sn02qq',
  '81h455vb4pex5vsknk084sn02q',
  '01H455VB4PEX5VSKNK084SN02Q',
  '01h455vb4pex5vsknk084sn0iq',
  '01890a5d-ac96-774b-bcce-b302099a8057',
]

export class Fixtures {
  readonly florin: Florin
  readonly #created = new Map<string, Promise<unknown>>()

  constructor(florin: Florin) {
    this.florin = florin
  }

  /** Returns the caller's Authorization header. */
  async authorization(caller: string): Promise<string | undefined> {
    const dead = invalidCallers[caller as keyof typeof invalidCallers]
    if (dead !== undefined) return this.#once(`dead ${caller}`, () => dead(this))
    if (/^(platform_)?key2?:/.test(caller)) return `Bearer ${await this.key(caller)}`
    return `Bearer ${(await this.person(caller)).token}`
  }

  /**
   * Returns an API key: `key:events:read` is a key of the own account, `key2:*` one of the other
   * account, `platform_key:*` one of a platform.
   */
  key(caller: string): Promise<string> {
    const [kind, scope] = [caller.slice(0, caller.indexOf(':')), caller.replace(/^\w+:/, '')]
    return this.#once(caller, async () => {
      const is_platform = kind === 'platform_key'
      const creator = await this.person(keyCreators[kind]!)
      const role = is_platform ? { role: 'platform' as const } : {}
      return (await makeKey(this.florin, creator, [scope], role)).key
    })
  }

  /** Returns the same fixtures without these names, for a cell that destroys them. */
  without(names: string[]): Fixtures {
    const fixtures = new Fixtures(this.florin)
    for (const [name, it] of this.#created)
      if (!names.includes(name)) fixtures.#created.set(name, it)
    return fixtures
  }

  person(name: string): Promise<Person> {
    const { people } = this.florin
    switch (name) {
      case 'owner':
      case 'owner2':
        return this.owner(name)
      case 'member':
      case 'fellow':
        return this.#once(name, async () => people.member(await this.owner('owner')))
      case 'viewer':
        return this.#once(name, async () => people.viewer(await this.owner('owner')))
      case 'member2':
        return this.#once(name, async () => people.member(await this.owner('owner2')))
      case 'lone':
      case 'lone2':
        return this.#once(name, () => people.lone())
      case 'platform':
      case 'platform2':
        return this.#once(name, () => people.platform())
      case 'admin':
      case 'admin2':
        return this.#once(name, () => people.admin())
      default:
        throw new Error(`unknown person: ${name}`)
    }
  }

  owner(name: string): Promise<Owner> {
    return this.#once(name, () => this.florin.people.owner())
  }

  /** Returns ids for a path: one of an existing or deleted user, or many malformed ones. */
  async userIds(object: string): Promise<string[]> {
    if (object === 'unknown') return [toTypeId('user', newUuid(Date.now()))]
    if (object === 'badid') return malformedIds('usr', (await this.person('member')).id)
    if (object === 'deleted') return [await this.#once('deleted', () => this.#deleted())]
    return [(await this.person(object)).id]
  }

  /** Returns ids for Florin-Account or a path; `nothing` means no header. */
  async accountIds(object: string): Promise<(string | undefined)[]> {
    switch (object) {
      case 'nothing':
        return [undefined]
      case 'own':
        return [(await this.owner('owner')).account_id]
      case 'other':
        return [(await this.owner('owner2')).account_id]
      case 'closed':
        return [(await this.closed()).account_id]
      case 'suspended':
        return [(await this.suspended()).account_id]
      case 'unknown':
        return [toTypeId('account', newUuid(Date.now()))]
      case 'badid':
        return malformedIds('acct', (await this.owner('owner')).account_id)
      default:
        throw new Error(`unknown account: ${object}`)
    }
  }

  closed(): Promise<Owner> {
    return this.#once('closed account', async () => {
      const owner = await this.florin.people.owner()
      await this.#expectOk('DELETE', '/v1/account', { token: owner.token })
      return owner
    })
  }

  suspended(): Promise<Owner> {
    return this.#once('suspended account', async () => {
      const owner = await this.florin.people.owner()
      const { token } = await this.person('admin')
      const body = { status: 'suspended' }
      await this.#expectOk('PATCH', `/v1/accounts/${owner.account_id}`, { token, body })
      return owner
    })
  }

  async expired(): Promise<string> {
    const { token } = await this.florin.people.session(await this.person('owner'))
    const text = "update tokens set expires_at = now() - interval '1 ms' where token_hash = $1"
    const { rowCount } = await this.florin.db.pool.query(text, [sha256(token)])
    assert.equal(rowCount, 1)
    return `Bearer ${token}`
  }

  async revoked(): Promise<string> {
    const { token } = await this.florin.people.session(await this.person('owner'))
    await this.#expectOk('DELETE', '/v1/auth/session', { token })
    return `Bearer ${token}`
  }

  async revokedKey(): Promise<string> {
    const { token } = await this.person('owner')
    const { id, key } = await makeKey(this.florin, { token }, ['*'])
    await this.#expectOk('DELETE', `/v1/api_keys/${id}`, { token })
    return `Bearer ${key}`
  }

  async withStatus(status: 'suspended' | 'pending'): Promise<string> {
    const { token } = await this.person('owner')
    const member = await this.florin.people.member(await this.owner('owner'))
    await this.#expectOk('PATCH', `/v1/users/${member.id}`, { token, body: { status } })
    return `Bearer ${member.token}`
  }

  async ofDeleted(): Promise<string> {
    const { id, token } = await this.florin.people.lone()
    await this.#expectOk('DELETE', `/v1/users/${id}`, { token })
    return `Bearer ${token}`
  }

  async ofClosedAccount(): Promise<string> {
    return `Bearer ${(await this.closed()).token}`
  }

  async #deleted(): Promise<string> {
    const { token } = await this.person('owner')
    const { id } = await this.florin.people.member(await this.owner('owner'))
    await this.#expectOk('DELETE', `/v1/users/${id}`, { token })
    return id
  }

  async #expectOk(method: string, path: string, options: CallOptions): Promise<void> {
    const response = await this.florin.call(method, path, options)
    assert.equal(response.status, 200, `${method} ${path}: ${response.text}`)
  }

  #once<Fixture>(name: string, create: () => Promise<Fixture>): Promise<Fixture> {
    if (!this.#created.has(name)) this.#created.set(name, create())
    return this.#created.get(name) as Promise<Fixture>
  }
}

/** Wrong in length, alphabet, case or prefix; the last ones are a real id with a suffix. */
function malformedIds(prefix: string, real: string): string[] {
  return [
    ...malformedBodies.map((body) => `${prefix}_${body}`),
    real.replace(prefix, 'req'),
    real.replace('_', '-'),
    real.toUpperCase(),
    `${real}%00`,
    `${real}%20`,
    `${real}%zz`,
    '%F0%9F%92%A9',
  ]
}
