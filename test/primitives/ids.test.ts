import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  findUuid,
  firstUuidAt,
  type IdKind,
  idPrefixes,
  lastUuidAt,
  newRealTimeUuid,
  newUuid,
  timeOfUuid,
  toTypeId,
  UuidSequence,
} from '../../src/primitives/ids.ts'

const vectors = [
  ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
  ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
  ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
  ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
  ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
  ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
] as const

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('matches the published TypeID vectors in both directions', () => {
  for (const [uuid, body] of vectors) {
    assert.equal(toTypeId('user', uuid), `usr_${body}`)
    assert.equal(findUuid('user', `usr_${body}`), uuid)
  }
})

test('any UUID round-trips through every kind of id', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom(...kinds()), (uuid, kind) => {
      const id = toTypeId(kind, uuid)
      assert.match(id, new RegExp(`^${idPrefixes[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
      assert.equal(findUuid(kind, id), uuid)
    }),
  )
})

test('ids sort like their UUIDs', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const ids = [toTypeId('event', one), toTypeId('event', other)]
      assert.equal(ids[0]! < ids[1]!, one < other)
    }),
  )
})

test('ids created within milliseconds are strictly ordered UUIDv7s', () => {
  // More than the counter of one millisecond allows, so that the overflow is tested too.
  const now_ms = Date.now()
  const ids = new UuidSequence()
  const uuids = Array.from({ length: 20_000 }, (_, n) => ids.next(now_ms + Math.floor(n / 9_000)))
  for (let n = 0; n < uuids.length; n++) {
    assert.match(uuids[n]!, uuidV7)
    if (n > 0) assert.ok(uuids[n - 1]! < uuids[n]!)
  }
})

test('a small step back of the clock does not break the order', () => {
  const now_ms = Date.now()
  const ids = new UuidSequence()
  const before = ids.next(now_ms)
  const after = ids.next(now_ms - 500)
  assert.ok(before < after)
})

test('ids of one millisecond are ordered after the clock was set back', () => {
  const now_ms = Date.now()
  const ids = new UuidSequence()
  ids.next(now_ms + 86_400_000)
  const uuids = Array.from({ length: 2_000 }, (_, n) => ids.next(now_ms + Math.floor(n / 1_000)))
  assert.deepEqual(uuids, uuids.toSorted())
})

test('an id contains the time that it was created for', () => {
  const now_ms = Date.now()
  const ids = new UuidSequence()
  ids.next(now_ms)
  for (const at_ms of [0, 1, 65_535, 65_536, 1_700_000_000_000, now_ms - 5000]) {
    const uuid = ids.next(at_ms)
    assert.match(uuid, uuidV7)
    assert.equal(timeOfUuid(uuid).getTime(), at_ms)
    assert.ok(firstUuidAt(at_ms) <= uuid && uuid <= lastUuidAt(at_ms))
  }
})

test('ids of business time and of real time are ordered independently', () => {
  let real_ms = Date.now()
  // Offsets from zero to years, and close to where the counter overflows into the next millisecond.
  for (const offset_ms of [0, 1, 999, 1_000, 1_001, 86_400_000, 3_153_600_000_000]) {
    real_ms += 10
    const pairs = Array.from({ length: 3_000 }, (_, n) => {
      const at_ms = real_ms + Math.floor(n / 1_000)
      return [newUuid(at_ms + offset_ms), newRealTimeUuid(at_ms)] as const
    })
    for (const [at, [business, real]] of pairs.entries()) {
      const [business_before, real_before] = pairs[at - 1] ?? ['', '']
      assert.ok(business_before < business && real_before < real)
      const difference_ms = timeOfUuid(business).getTime() - timeOfUuid(real).getTime()
      assert.ok(Math.abs(difference_ms - offset_ms) <= 1, `${difference_ms} for ${offset_ms}`)
    }
  }
})

test('renders the first and last millisecond of 48 bits in full', () => {
  assert.equal(firstUuidAt(2 ** 48 - 1), 'ffffffff-ffff-7000-8000-000000000000')
  assert.equal(lastUuidAt(0), '00000000-0000-7fff-bfff-ffffffffffff')
})

test('random bits differ between ids', () => {
  const tails = new Set(Array.from({ length: 5000 }, () => newUuid(1000).slice(19)))
  assert.equal(tails.size, 5000)
})

test('findUuid returns undefined for any other text', () => {
  const good = toTypeId('account', randomUUID())
  const body = good.slice('acct_'.length)
  const bad = [
    '',
    'acct',
    'acct_',
    body,
    good.toUpperCase(),
    `acct_${body.toUpperCase()}`,
    `ACCT_${body}`,
    `usr_${body}`,
    `acct_${body}0`,
    `acct_${body.slice(1)}`,
    `acct_8${body.slice(1)}`,
    `acct_z${body.slice(1)}`,
    ` ${good}`,
    `${good}\n`,
    `acct_${body.slice(0, 25)}l`,
    `acct_${body.slice(0, 25)}u`,
    `acct_${body.slice(0, 25)}é`,
    `acct__${body.slice(1)}`,
    `acct-${body}`,
  ]
  for (const text of bad) {
    // A body of digits only does not change in upper case.
    if (text !== good) assert.equal(findUuid('account', text), undefined, text)
  }
})

function kinds(): IdKind[] {
  return Object.keys(idPrefixes) as IdKind[]
}
