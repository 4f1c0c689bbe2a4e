import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deriveSealingKey,
  sealResponse,
  unsealResponse,
} from '../../src/idempotency/sealed-response.ts'
import { isSealed } from '../../src/primitives/seal.ts'
import { sha256 } from '../../src/primitives/secrets.ts'

const place = { scope_id: '01890a5d-ac96-774b-bcce-b302099a8057', key_hash: sha256('ann order-1') }
const body = JSON.stringify({ id: 'key_1', key: 'sk_sandbox_secret', name: 'Ünïcode' })
const sealing_key = deriveSealingKey('order-1', place)

test('what was sealed opens with the same Idempotency-Key, and says nothing without it', () => {
  const sealed = sealResponse(sealing_key, place, body)
  assert.ok(isSealed(sealed))
  assert.ok(!isSealed(Buffer.from(body)))
  assert.ok(!sealed.includes('secret'))
  assert.equal(unsealResponse(deriveSealingKey('order-1', place), place, sealed).toString(), body)
  assert.throws(() => unsealResponse(deriveSealingKey('order-2', place), place, sealed))
})

test('two seals of one answer differ, and none fits another place', () => {
  const sealed = sealResponse(sealing_key, place, body)
  assert.notDeepEqual(sealResponse(sealing_key, place, body), sealed)
  const elsewhere = { ...place, scope_id: '01890a5d-ac96-774b-bcce-b302099a8058' }
  assert.throws(() => unsealResponse(sealing_key, elsewhere, sealed))
})

test('a changed byte is noticed, wherever it is', () => {
  const sealed = sealResponse(sealing_key, place, body)
  for (const at of [1, 13, 29, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    assert.throws(() => unsealResponse(sealing_key, place, changed), `byte ${at}`)
  }
})
