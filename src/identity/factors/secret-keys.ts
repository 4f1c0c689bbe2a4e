// Encrypts the secrets of authenticator apps with the keys of FLORIN_SECRET_KEY. The newest key
// encrypts; every key decrypts. So a key is replaced by putting a new one in front of it.

import { hkdfSync } from 'node:crypto'
import { seal, unseal } from '../../primitives/secrets.ts'

interface SecretOwner {
  user_id: string
  id: string
}

interface SealedSecret {
  sealed_secret: Buffer
  key_id: string
}

interface SealingKey {
  key: Buffer
  /** A fingerprint that does not reveal the key. */
  key_id: string
}

export class SecretKeys {
  readonly #keys: SealingKey[]

  /** Newest first, each of 32 bytes. */
  constructor(keys: readonly Buffer[]) {
    this.#keys = keys.map((key) => ({
      key: derive(key, 'florin totp secret 1'),
      key_id: derive(key, 'florin key fingerprint 1').toString('hex', 0, 8),
    }))
  }

  /** Undefined without a key: then authenticator apps cannot be added. */
  get newest_id(): string | undefined {
    return this.#keys[0]?.key_id
  }

  get older_ids(): string[] {
    return this.#keys.slice(1).map(({ key_id }) => key_id)
  }

  has(key_id: string): boolean {
    return this.#keys.some((candidate) => candidate.key_id === key_id)
  }

  seal(owner: SecretOwner, secret: Buffer): SealedSecret {
    const [newest] = this.#keys
    if (newest === undefined) throw new Error('there is no key to encrypt a secret with')
    const sealed_secret = seal(newest.key, boundTo(owner), secret.toString('hex'))
    return { sealed_secret, key_id: newest.key_id }
  }

  /** Undefined if the key is not among FLORIN_SECRET_KEY anymore. */
  unseal(owner: SecretOwner, { sealed_secret, key_id }: SealedSecret): Buffer | undefined {
    const found = this.#keys.find((candidate) => candidate.key_id === key_id)
    if (found === undefined) return undefined
    const text = unseal(found.key, boundTo(owner), sealed_secret).toString('utf8')
    return Buffer.from(text, 'hex')
  }
}

function derive(key: Buffer, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), info, 32))
}

// A sealed secret cannot be moved to another user.
function boundTo({ user_id, id }: SecretOwner): Buffer {
  return Buffer.from(`${user_id} ${id}`)
}
