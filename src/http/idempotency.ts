// Idempotency-Key: the same key with the same request has one effect and one response. Only a
// hash of the key leaves this file. The change stores its response in its own database
// transaction.

import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { replayStoredResponse } from '../idempotency/change-once.ts'
import type { IdempotencyKey } from '../idempotency/idempotency-key.ts'
import { deriveSealingKey } from '../idempotency/sealed-response.ts'
import { keyText } from '../idempotency/stored-responses.ts'
import type { Caller } from '../identity/caller.ts'
import { requirePermission } from '../identity/permissions.ts'
import { digestSecret } from '../identity/users/password.ts'
import type { Db } from '../postgres/database.ts'
import { findUuid, nil_uuid } from '../primitives/ids.ts'
import { Refusal } from '../primitives/refusal.ts'
import { sha256 } from '../primitives/secrets.ts'
import {
  type AuthenticatedAccess,
  countHeader,
  defersPermissionCheck,
  isChange,
} from './admission.ts'
import { ValidationFault } from './validation.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The raw body, retained only for requests with an Idempotency-Key. */
    body_bytes: Buffer | undefined
  }
}

const keyShape = /^[\x20-\x7e]{1,255}$/

function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  // Node joins duplicate headers with a comma. That would be a different key, and the change
  // would be applied twice.
  if (countHeader(request, 'idempotency-key') > 1) {
    throw new ValidationFault('Send exactly one "Idempotency-Key" header; got several.')
  }
  const key = String(header)
  if (keyShape.test(key)) return key
  throw new ValidationFault('"Idempotency-Key" must have 1 to 255 printable ASCII characters.')
}

/** The stored form of a key. The scope is the account acted on, or else the user. */
export function idempotencyKeyFor(
  request: FastifyRequest,
  caller: Caller,
  scope_id: string,
): IdempotencyKey | undefined {
  const key = readIdempotencyKey(request)
  return key === undefined ? undefined : keyOf(request, caller, scope_id, key, request.body_bytes)
}

function keyOf(
  { method, url }: FastifyRequest,
  caller: Caller,
  scope_id: string,
  key: string,
  body: Buffer | string = '',
): IdempotencyKey {
  const fingerprint = createHmac('sha256', key).update(`${method}\n${url}\n`).update(body).digest()
  const seal_context = { scope_id, key_hash: keyHash(caller, key) }
  return { ...seal_context, fingerprint, sealingKey: () => deriveSealingKey(key, seal_context) }
}

function keyHash(caller: Caller, key: string): Buffer {
  return sha256(`${idempotencyOwnerOf(caller)}\n${key}`)
}

/**
 * For bodies with a password. An HMAC of the whole body would serve as a fast password hash to
 * anyone who reads the database and guesses the key, so secret fields go through a slow hash
 * first.
 */
async function idempotencyKeyOfSecrets(
  request: FastifyRequest,
  caller: Caller,
  scope_id: string,
): Promise<IdempotencyKey | undefined> {
  const secrets = secretFields(request)
  const key = readIdempotencyKey(request)
  if (key === undefined || secrets.length === 0) return idempotencyKeyFor(request, caller, scope_id)
  const body = request.body as Record<string, unknown>
  const open = Object.entries(body).filter(([name]) => !secrets.includes(name))
  const hidden = JSON.stringify(secrets.map((name) => [name, body[name]]))
  const digest = await digestOnce(hidden, keyHash(caller, key), caller)
  return keyOf(request, caller, scope_id, key, JSON.stringify([open, digest.toString('hex')]))
}

const digesting = new Map<string, Promise<Buffer>>()

/** Retries that arrive while the first request is in progress share its digest. */
function digestOnce(secrets: string, salt: Buffer, caller: Caller): Promise<Buffer> {
  const name = salt.toString('latin1') + secrets
  const found = digesting.get(name)
  if (found !== undefined) return found
  const client = { key: caller.account_id ?? caller.user_id }
  const digest = digestSecret(secrets, salt, client).finally(() => digesting.delete(name))
  digesting.set(name, digest)
  return digest
}

/** The fields of this body that its schema marks as secret. */
function secretFields({ body, routeOptions }: FastifyRequest): string[] {
  const { properties = {} } = (routeOptions.schema?.body ?? {}) as BodySchema
  if (typeof body !== 'object' || body === null) return []
  return Object.keys(body).filter((name) => properties[name]?.['x-secret'] === true)
}

interface BodySchema {
  properties?: Record<string, { 'x-secret'?: boolean }>
}

/**
 * All API keys of an account share one scope, so a retry after key rotation still replays. So do
 * all platform keys, under the nil UUID: UUIDs of users and accounts contain a timestamp.
 */
function idempotencyOwnerOf(caller: Caller): string {
  return caller.kind === 'api_key' ? (caller.account_id ?? nil_uuid) : caller.user_id
}

/**
 * For changes outside the lanes: attaches the key to the caller, and the change stores its
 * response.
 */
export function handleIdempotencyKeys(app: FastifyInstance, db: Db): void {
  app.addHook('preHandler', (request, reply, done) => {
    const { caller } = request
    const access = request.routeOptions.config.access
    const takes_idempotency_key = caller !== undefined && isChange(request)
    // No promise for requests without a key, which are most of them.
    if (!takes_idempotency_key || request.headers['idempotency-key'] === undefined) return done()
    if (access !== undefined && 'lane' in access && access.lane) return done()
    prepareIdempotency(db, caller, request, reply).then(() => done(), done)
  })
}

async function prepareIdempotency(
  db: Db,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const access = request.routeOptions.config.access as AuthenticatedAccess
  // The change gave the caller a different account, so only the user id is the same on a
  // retry.
  const scope_id = access.changes_caller ? caller.user_id : scopeOf(caller, request)
  const key = await idempotencyKeyOfSecrets(request, caller, scope_id)
  if (key !== undefined && !access.multi_step) await replayStoredResponse(db, key)
  if (defersPermissionCheck(request, access)) requirePermission(caller, access.operation)
  if (key === undefined) return
  const render = (result: unknown) => ({
    status: reply.statusCode,
    body: String(reply.serialize(result as Record<string, unknown>)),
  })
  caller.idempotency = { key, render, sealed: access.secret_response === true }
}

/** The account acted on, from the path, the header or the token; otherwise the caller. */
function scopeOf(caller: Caller, { params }: FastifyRequest): string {
  const { account_id } = params as { account_id?: string }
  const in_path = account_id === undefined ? undefined : findUuid('account', account_id)
  if (in_path !== undefined) return in_path
  const named = caller.header_account_id
  if (named !== undefined && named !== 'unknown') return named
  return caller.account_id ?? idempotencyOwnerOf(caller)
}

/** Rejects a request whose key is already in flight in this process. */
export class InFlight {
  readonly #keys = new Set<string>()

  async guard<Result>(
    key: IdempotencyKey | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (key === undefined) return work()
    const text = keyText(key)
    if (this.#keys.has(text)) {
      throw new Refusal(
        'idempotency_conflict',
        'A request with this Idempotency-Key is still in progress. Retry shortly.',
      )
    }
    this.#keys.add(text)
    try {
      return await work()
    } finally {
      this.#keys.delete(text)
    }
  }
}
