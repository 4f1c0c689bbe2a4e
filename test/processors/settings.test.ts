import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config.ts'
import { openProcessor, takesCards } from '../../src/processors/processor.ts'
import { live_env } from '../support/florin.ts'

const stripe = {
  FLORIN_PROCESSOR: 'stripe',
  FLORIN_STRIPE_SECRET_KEY: 'sk_test_123',
  FLORIN_STRIPE_WEBHOOK_SECRET: 'whsec_1',
}
const mollie = { FLORIN_PROCESSOR: 'mollie', FLORIN_MOLLIE_API_KEY: 'test_123' }

function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env)
    return ''
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.faults.join('\n')
  }
}

test('reads a list of processors and their keys', async () => {
  const config = readConfig({
    ...stripe,
    ...mollie,
    FLORIN_PROCESSOR: 'mollie, stripe,manual',
    FLORIN_STRIPE_WEBHOOK_SECRET: 'whsec_1,whsec_2',
    FLORIN_STRIPE_API_URL: 'http://127.0.0.1:8420/',
    FLORIN_MOLLIE_API_URL: 'https://mollie.example.com',
    FLORIN_LATE_PAYMENTS: 'keep',
  })
  assert.deepEqual(config.processors, ['mollie', 'stripe', 'manual'])
  assert.deepEqual(config.stripe, {
    secret_key: 'sk_test_123',
    webhook_secrets: ['whsec_1', 'whsec_2'],
    api_url: 'http://127.0.0.1:8420',
  })
  const api_url = 'https://mollie.example.com'
  assert.deepEqual(config.mollie, { api_key: 'test_123', access_token: undefined, api_url })
  assert.equal(config.late_payments, 'keep')
  const processor = await openProcessor(config)
  assert.deepEqual(
    processor.providers.map(({ name, is_live }) => [name, is_live]),
    [
      ['mollie', false],
      ['stripe', false],
    ],
  )
  assert.deepEqual([processor.takes_transfers, takesCards(processor)], [true, true])
  assert.equal(processor.settle_after_ms, undefined)
})

test('the sandbox is the default, and has neither providers nor transfers', async () => {
  const config = readConfig({ FLORIN_STRIPE_SECRET_KEY: 'ignored' })
  const { providers, takes_transfers, settle_after_ms } = await openProcessor(config)
  assert.deepEqual([config.processors, config.late_payments], [['sandbox'], 'refund'])
  assert.deepEqual([providers, takes_transfers, settle_after_ms], [[], false, 30_000])
})

test('rejects an unknown processor, a repeated one, and combinations', () => {
  const combinations = ['sandbox,stripe', 'sandbox,sandbox', 'manual,bank_transfer']
  for (const FLORIN_PROCESSOR of ['paypal', 'stripe,stripe', ...combinations]) {
    assert.equal(
      faultsOf({ ...stripe, FLORIN_PROCESSOR }),
      'FLORIN_PROCESSOR must be "sandbox", or a list of "stripe", "mollie" and either ' +
        `"bank_transfer" or "manual"; got "${FLORIN_PROCESSOR}".`,
    )
  }
})

const bank = { FLORIN_BANK_IBAN: 'DE89 3704 0044 0532 0130 00', FLORIN_BANK_NAME: 'Acme GmbH' }

test('reads the bank account of the server in electronic form', async () => {
  const config = readConfig({ ...bank, FLORIN_PROCESSOR: 'bank_transfer' })
  const iban = 'DE89370400440532013000'
  assert.deepEqual(config.bank_account, { name: 'Acme GmbH', iban, bic: null })
  const { takes_transfers, has_bank_account } = await openProcessor(config)
  assert.deepEqual([takes_transfers, has_bank_account], [true, true])
  const with_bic = readConfig({ ...bank, FLORIN_BANK_BIC: 'cobadeff' })
  assert.equal(with_bic.bank_account?.bic, 'COBADEFF')
  assert.equal(readConfig({ FLORIN_PROCESSOR: 'bank_transfer' }).bank_account, undefined)
})

test('rejects a bank account that is incomplete or mistyped', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ FLORIN_BANK_NAME: 'Acme' }, /^FLORIN_BANK_IBAN must be set if FLORIN_BANK_NAME is set\.$/],
    [{ FLORIN_BANK_BIC: 'COBADEFF' }, /^FLORIN_BANK_IBAN must be set if FLORIN_BANK_BIC is set\.$/],
    [{ ...bank, FLORIN_BANK_NAME: '' }, /^FLORIN_BANK_NAME must be set if FLORIN_BANK_IBAN is set/],
    [
      { ...bank, FLORIN_BANK_NAME: 'x'.repeat(71) },
      /^FLORIN_BANK_NAME must be .* 70 characters; got/,
    ],
    [{ ...bank, FLORIN_BANK_IBAN: 'DE88370400440532013000' }, /^FLORIN_BANK_IBAN has wrong check/],
    [{ ...bank, FLORIN_BANK_BIC: 'X' }, /^FLORIN_BANK_BIC must be a BIC of 8 or 11 characters/],
  ]
  for (const [env, expected] of cases) assert.match(faultsOf(env), expected)
})

test('names the missing key and the missing secret', () => {
  const faults = faultsOf({ FLORIN_PROCESSOR: 'stripe,mollie' })
  assert.match(
    faults,
    /^FLORIN_STRIPE_SECRET_KEY must be set if FLORIN_PROCESSOR contains "stripe"/,
  )
  assert.match(faults, /^FLORIN_STRIPE_WEBHOOK_SECRET must be set/m)
  assert.match(faults, /^FLORIN_MOLLIE_API_KEY must be set if .* "mollie"\.$/m)
})

test('rejects keys of the wrong mode', () => {
  const live = { ...live_env, ...stripe }
  const cases: [Record<string, string>, RegExp][] = [
    [{ ...stripe, FLORIN_STRIPE_SECRET_KEY: 'sk_live_1' }, /is a live key, which moves real money/],
    [
      { ...stripe, FLORIN_STRIPE_SECRET_KEY: 'rk_live_1' },
      /starts with "sk_test_" or "rk_test_"\.$/,
    ],
    [{ ...live, FLORIN_STRIPE_SECRET_KEY: 'sk_test_1' }, /is a test key, which moves no money/],
    [{ ...live, FLORIN_STRIPE_SECRET_KEY: 'rk_test_1' }, /but FLORIN_MODE is "live"\./],
    [{ ...mollie, FLORIN_MOLLIE_API_KEY: 'live_1' }, /starts with "test_"\.$/],
    [{ ...live_env, ...mollie, FLORIN_MOLLIE_API_KEY: 'test_1' }, /starts with "live_"\.$/],
  ]
  for (const [env, expected] of cases) assert.match(faultsOf(env), expected)
  const accepted = [
    { ...stripe, FLORIN_STRIPE_SECRET_KEY: 'rk_test_1' },
    { ...live, FLORIN_STRIPE_SECRET_KEY: 'rk_live_1' },
    { ...live_env, ...mollie, FLORIN_MOLLIE_API_KEY: 'live_1' },
  ]
  for (const env of accepted) assert.equal(faultsOf(env), '')
})

test('accepts an access token for Mollie in live mode only', () => {
  const live = { ...live_env, ...mollie, FLORIN_MOLLIE_API_KEY: 'live_1' }
  const token = { FLORIN_MOLLIE_ACCESS_TOKEN: 'access_hunter2' }
  assert.equal(readConfig({ ...live, ...token }).mollie?.access_token, 'access_hunter2')
  const cases: [Record<string, string>, RegExp][] = [
    [
      { ...mollie, ...token },
      /TOKEN reads settlements of real money, but FLORIN_MODE is "sandbox"/,
    ],
    [
      { ...live, FLORIN_MOLLIE_ACCESS_TOKEN: 'live_hunter2' },
      /must be an access token \(access_…\)/,
    ],
    [{ ...live, FLORIN_MOLLIE_ACCESS_TOKEN: 'access_hunter2\n' }, /not an API key\.$/],
  ]
  for (const [env, expected] of cases) {
    assert.match(faultsOf(env), expected)
    assert.doesNotMatch(faultsOf(env), /hunter2/)
  }
})

test('rejects malformed keys, secrets and URLs, and never prints a secret', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ FLORIN_STRIPE_SECRET_KEY: 'pk_test_hunter2' }, /not a publishable key \(pk_…\)\.$/],
    [{ FLORIN_STRIPE_SECRET_KEY: 'sk_test_hunter2\r' }, /^FLORIN_STRIPE_SECRET_KEY must be/],
    [{ FLORIN_STRIPE_WEBHOOK_SECRET: 'hunter2' }, /must be a signing secret \(whsec_…\)/],
    [{ FLORIN_STRIPE_WEBHOOK_SECRET: 'whsec_1,whsec_2,whsec_3' }, /or two during a rotation/],
    [{ FLORIN_STRIPE_API_URL: 'http://stripe.example.com' }, /http is accepted for loopback/],
    [{ FLORIN_STRIPE_API_URL: 'https://u:hunter2@stripe.example.com' }, /must be an https URL/],
    [{ FLORIN_STRIPE_API_URL: 'https://stripe.example.com/v1' }, /without a path/],
    [{ FLORIN_LATE_PAYMENTS: 'drop' }, /^FLORIN_LATE_PAYMENTS must be "refund" or "keep"/],
  ]
  for (const [env, expected] of cases) {
    const faults = faultsOf({ ...stripe, ...env })
    assert.match(faults, expected)
    assert.doesNotMatch(faults, /hunter2/)
  }
})

test('live mode names the processors that move money', () => {
  const { FLORIN_PROCESSOR: _, ...env } = live_env
  assert.match(
    faultsOf(env),
    /set FLORIN_PROCESSOR to "stripe", "mollie", "bank_transfer", "manual" or/,
  )
})
