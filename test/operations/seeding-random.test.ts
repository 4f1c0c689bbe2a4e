import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { demoAccount } from '../../src/operations/seeding/demo-accounts.ts'
import { demoAmount, inBusinessHours } from '../../src/operations/seeding/demo-transactions.ts'
import { groupBySize, planSeed, shareOut } from '../../src/operations/seeding/plan-seed.ts'
import { Random } from '../../src/operations/seeding/random.ts'
import { isEmail } from '../../src/primitives/email-address.ts'
import { isLanguage } from '../../src/primitives/text.ts'
import { isTimeZone } from '../../src/primitives/time.ts'

test('the same seed gives the same numbers, and each account has a separate stream', () => {
  const draw = (random: Random) => Array.from({ length: 100 }, () => random.fraction())
  assert.deepEqual(draw(new Random('a', 1)), draw(new Random('a', 1)))
  assert.notDeepEqual(draw(new Random('a', 1)), draw(new Random('a', 2)))
  assert.notDeepEqual(draw(new Random('a', 1)), draw(new Random('b', 1)))
})

test('draws are uniform from 0 to below 1', () => {
  const random = new Random('even')
  const tenths = Array.from({ length: 10 }, () => 0)
  for (let at = 0; at < 100_000; at += 1) tenths[Math.floor(random.fraction() * 10)]! += 1
  for (const count of tenths) assert.ok(Math.abs(count - 10_000) < 500, String(tenths))
})

test('half of all amounts are below the median, and all are positive integers', () => {
  const random = new Random('amounts')
  const amounts = Array.from({ length: 20_000 }, () => demoAmount(random, 4_500))
  const below = amounts.filter((amount) => amount < 4_500).length
  assert.ok(Math.abs(below / 20_000 - 0.5) < 0.03, String(below))
  for (const amount of amounts) assert.ok(Number.isInteger(amount) && amount >= 1)
})

test('shares are integers that add up to the total, whatever the weights', () => {
  const weights = fc.array(fc.double({ min: 0.001, max: 1_000, noNaN: true }), { minLength: 1 })
  fc.assert(
    fc.property(fc.nat(1_000_000), weights, (total, given) => {
      const shares = shareOut(total, given)
      assert.equal(shares.length, given.length)
      assert.equal(
        shares.reduce((left, right) => left + right, 0),
        total,
      )
      for (const share of shares) assert.ok(Number.isInteger(share) && share >= 0)
    }),
  )
})

test('a plan assigns every transaction to an account, and every account to one group', () => {
  const until = new Date('2026-06-01T00:00:00Z')
  const plan = planSeed({ accounts: 300, transactions: 10_000, seed: 's' }, until)
  const groups = groupBySize(plan, 500)
  assert.deepEqual(groups.flat(), plan)
  assert.equal(
    plan.reduce((sum, { count }) => sum + count, 0),
    10_000,
  )
  for (const { opens_at } of plan) assert.ok(opens_at < until)
  const times = plan.map(({ opens_at }) => opens_at.getTime())
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  )
})

test('inBusinessHours keeps order and day, and moves times towards noon', () => {
  const time = fc.integer({ min: 0, max: 4_000_000_000_000 })
  fc.assert(
    fc.property(time, time, (one, other) => {
      const [earlier, later] = one < other ? [one, other] : [other, one]
      assert.ok(inBusinessHours(earlier) <= inBusinessHours(later))
      assert.equal(Math.floor(inBusinessHours(one) / 86_400_000), Math.floor(one / 86_400_000))
    }),
  )
  assert.equal(inBusinessHours(6 * 3_600_000) > 9 * 3_600_000, true)
})

test('every demo account is valid for the API', () => {
  const random = new Random('accounts')
  for (let at = 0; at < 2_000; at += 1) {
    const { email, name, owner_name, settings, median_amount } = demoAccount(random, '3f9ac')
    assert.ok(isEmail(email), email)
    assert.ok(name.length > 2 && owner_name.includes(' '))
    assert.ok(isTimeZone(settings.timezone) && isLanguage(settings.language), settings.language)
    assert.ok(median_amount >= 100)
  }
})
