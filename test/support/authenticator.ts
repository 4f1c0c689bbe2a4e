// A passkey in software, written from the WebAuthn standard: an ES256 key pair that signs what a
// browser and an authenticator send. Tests change single fields to see them rejected.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface Flaws {
  origin?: string
  rp_id?: string
  challenge?: string
  type?: string
  /** Whether the authenticator has verified its user. Default: true. */
  verified?: boolean
  sign_count?: number
  user_handle?: string
  /** Signs with another key. */
  forged?: boolean
}

interface Options {
  challenge: string
  rpId?: string
  rp?: { id: string }
  user?: { id: string }
}

export class Authenticator {
  readonly id = randomBytes(32).toString('base64url')
  readonly #origin: string
  readonly #key: KeyObject
  readonly #point: { x: Buffer; y: Buffer }
  #sign_count = 0
  #user_handle = ''

  constructor(origin: string) {
    this.#origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string }
    this.#key = privateKey
    this.#point = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') }
  }

  /** The response to the options of a registration. */
  create(options: Options, flaws: Flaws = {}) {
    this.#user_handle = options.user!.id
    const client_data = this.#clientData('webauthn.create', options, flaws)
    const length = Buffer.alloc(2)
    const raw_id = Buffer.from(this.id, 'base64url')
    length.writeUInt16BE(raw_id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, raw_id, this.#coseKey()])
    const data = this.#data(options.rp!.id, 0x40, flaws)
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(Buffer.concat([data, attested]))],
    ])
    return this.#credential({
      clientDataJSON: client_data.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The response to the options of a login. */
  get(options: Options, flaws: Flaws = {}) {
    this.#sign_count += 1
    const client_data = this.#clientData('webauthn.get', options, flaws)
    const data = this.#data(options.rpId!, 0, flaws)
    const key = flaws.forged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.#key
    const signed = Buffer.concat([data, createHash('sha256').update(client_data).digest()])
    return this.#credential({
      clientDataJSON: client_data.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, key).toString('base64url'),
      userHandle: flaws.user_handle ?? this.#user_handle,
    })
  }

  #credential(response: Record<string, unknown>) {
    const common = { type: 'public-key', clientExtensionResults: {} }
    return { id: this.id, rawId: this.id, ...common, response }
  }

  #clientData(type: string, { challenge }: Options, flaws: Flaws): Buffer {
    const data = { type: flaws.type ?? type, challenge: flaws.challenge ?? challenge }
    return Buffer.from(JSON.stringify({ ...data, origin: flaws.origin ?? this.#origin }))
  }

  #data(rp_id: string, extra_flags: number, flaws: Flaws): Buffer {
    const { verified = true, sign_count = this.#sign_count } = flaws
    const count = Buffer.alloc(4)
    count.writeUInt32BE(sign_count)
    const hash = createHash('sha256')
      .update(flaws.rp_id ?? rp_id)
      .digest()
    // User present, user verified.
    return Buffer.concat([hash, Buffer.of(0x01 | (verified ? 0x04 : 0) | extra_flags), count])
  }

  /** EC2, ES256, P-256. */
  #coseKey(): Buffer {
    return cborMap([
      [Buffer.of(0x01), Buffer.of(0x02)],
      [Buffer.of(0x03), Buffer.of(0x26)],
      [Buffer.of(0x20), Buffer.of(0x01)],
      [Buffer.of(0x21), cborBytes(this.#point.x)],
      [Buffer.of(0x22), cborBytes(this.#point.y)],
    ])
  }
}

function cborMap(pairs: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([Buffer.of(0xa0 + pairs.length), ...pairs.flat()])
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 + text.length), Buffer.from(text)])
}

function cborBytes(bytes: Buffer): Buffer {
  const head =
    bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 255]
  return Buffer.concat([Buffer.from(head), bytes])
}
