import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deriveSealingKey,
  sealResponse,
  unsealResponse,
} from '../../src/idempotency/sealed-response.ts'
import { isSealed, sha256 } from '../../src/primitives/secrets.ts'

const context = {
  scope_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  key_hash: sha256('ann order-1'),
}
const body = JSON.stringify({ id: 'key_1', key: 'sk_sandbox_secret', name: 'Ünïcode' })
const sealing_key = deriveSealingKey('order-1', context)

test('a sealed response can be decrypted only with the same Idempotency-Key', () => {
  const sealed = sealResponse(sealing_key, context, body)
  assert.ok(isSealed(sealed))
  assert.ok(!isSealed(Buffer.from(body)))
  assert.ok(!sealed.includes('secret'))
  assert.equal(
    unsealResponse(deriveSealingKey('order-1', context), context, sealed).toString(),
    body,
  )
  assert.throws(() => unsealResponse(deriveSealingKey('order-2', context), context, sealed))
})

test('sealing is not deterministic, and a response cannot be moved to another scope', () => {
  const sealed = sealResponse(sealing_key, context, body)
  assert.notDeepEqual(sealResponse(sealing_key, context, body), sealed)
  const elsewhere = { ...context, scope_id: '01890a5d-ac96-774b-bcce-b302099a8058' }
  assert.throws(() => unsealResponse(sealing_key, elsewhere, sealed))
})

test('detects a changed byte at any position', () => {
  const sealed = sealResponse(sealing_key, context, body)
  for (const at of [1, 13, 29, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    assert.throws(() => unsealResponse(sealing_key, context, changed), `byte ${at}`)
  }
})
