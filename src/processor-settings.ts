// Settings of the payment processors. A key of the wrong mode is rejected at startup: a live key in
// the sandbox would move real money, and a test key in live mode would take none. Keys and secrets
// are never echoed.

import { bicError, findBic, findIban, ibanError } from './bank/iban.ts'
import { isPlainText, quote } from './primitives/text.ts'
import { isLoopbackName, parseWebAddress } from './server-urls.ts'

const provider_names = ['stripe', 'mollie'] as const
const live_processors = [...provider_names, 'bank_transfer', 'manual'] as const

type ProcessorName = (typeof live_processors)[number] | 'sandbox'

export interface StripeSettings {
  secret_key: string
  /** Two while a secret is rotated. */
  webhook_secrets: string[]
  /** The address of the API; undefined for Stripe itself. */
  api_url: string | undefined
}

export interface MollieSettings {
  api_key: string
  /** Reads settlements, which the key cannot. Undefined: they are not imported. */
  access_token: string | undefined
  /** The address of the API; undefined for Mollie itself. */
  api_url: string | undefined
}

/** Of the operator. Payers transfer to it, unless an admin has set another one for an account. */
export interface BankAccount {
  name: string
  /** In electronic form, as the BIC. */
  iban: string
  bic: string | null
}

export interface ProcessorSettings {
  /** `sandbox` alone, or others in the order of the payment page. */
  processors: ProcessorName[]
  stripe: StripeSettings | undefined
  mollie: MollieSettings | undefined
  bank_account: BankAccount | undefined
  /** What happens to money that arrives for a request that has ended. */
  late_payments: 'refund' | 'keep'
}

type Mode = 'sandbox' | 'live'

/** The part of config.ts that this file uses. */
interface SettingReader {
  readonly faults: string[]
  text(name: string): string | undefined
  list(name: string): string[]
  oneOf<const Value extends string>(name: string, values: readonly Value[], fallback: Value): Value
}

export function readProcessorSettings(read: SettingReader, mode: Mode): ProcessorSettings {
  const processors = readProcessors(read)
  return {
    processors,
    stripe: processors.includes('stripe') ? readStripe(read, mode) : undefined,
    mollie: processors.includes('mollie') ? readMollie(read, mode) : undefined,
    bank_account: readBankAccount(read),
    late_payments: read.oneOf('FLORIN_LATE_PAYMENTS', ['refund', 'keep'], 'refund'),
  }
}

const processor_rule =
  'must be "sandbox", or a list of "stripe", "mollie" and either "bank_transfer" or "manual"'

function readProcessors(read: SettingReader): ProcessorName[] {
  const names = read.list('FLORIN_PROCESSOR')
  if (names.length === 0 || (names.length === 1 && names[0] === 'sandbox')) return ['sandbox']
  const known = live_processors.filter((name) => names.includes(name))
  // Both describe how to transfer the money: "manual" with a text, "bank_transfer" with an account.
  const is_ambiguous = names.includes('manual') && names.includes('bank_transfer')
  if (known.length === names.length && !is_ambiguous) return names as ProcessorName[]
  const text = JSON.stringify(read.text('FLORIN_PROCESSOR'))
  read.faults.push(`FLORIN_PROCESSOR ${processor_rule}; got ${text}.`)
  return ['sandbox']
}

// The longest name that a SEPA transfer and its QR code can have.
const holder_length_max = 70

function readBankAccount(read: SettingReader): BankAccount | undefined {
  const names = { iban: 'FLORIN_BANK_IBAN', name: 'FLORIN_BANK_NAME', bic: 'FLORIN_BANK_BIC' }
  const iban = read.text(names.iban)
  const name = read.text(names.name)
  const bic = read.text(names.bic)
  if (iban === undefined) {
    const alone = [name && names.name, bic && names.bic].filter((one) => one !== undefined)
    for (const one of alone) read.faults.push(`${names.iban} must be set if ${one} is set.`)
    return undefined
  }
  const faults = [
    ibanError(names.iban, iban),
    name === undefined ? `${names.name} must be set if ${names.iban} is set.` : nameError(name),
    bic && bicError(names.bic, bic),
  ].filter((fault) => fault !== undefined)
  read.faults.push(...faults.map((fault) => fault.replace(/^"(\w+)"/, '$1')))
  const number = findIban(iban)
  if (faults.length > 0 || number === undefined || name === undefined) return undefined
  return { name, iban: number, bic: bic === undefined ? null : findBic(bic)! }
}

function nameError(name: string): string | undefined {
  if (isPlainText(name) && name.length <= holder_length_max) return undefined
  const rule = `must be the holder of the account, one line of at most ${holder_length_max}`
  return `FLORIN_BANK_NAME ${rule} characters; got ${quote(name)}.`
}

function readStripe(read: SettingReader, mode: Mode): StripeSettings {
  return {
    secret_key: readKey(read, mode, stripe_key),
    webhook_secrets: readWebhookSecrets(read, 'FLORIN_STRIPE_WEBHOOK_SECRET'),
    api_url: readApiUrl(read, 'FLORIN_STRIPE_API_URL'),
  }
}

function readMollie(read: SettingReader, mode: Mode): MollieSettings {
  return {
    api_key: readKey(read, mode, mollie_key),
    access_token: readAccessToken(read, mode, 'FLORIN_MOLLIE_ACCESS_TOKEN'),
    api_url: readApiUrl(read, 'FLORIN_MOLLIE_API_URL'),
  }
}

// Settlements exist in live mode only: in the sandbox, the token would import real money.
function readAccessToken(read: SettingReader, mode: Mode, name: string): string | undefined {
  const token = read.text(name)
  if (token === undefined) return undefined
  if (!/^access_[A-Za-z0-9_]+$/.test(token)) {
    read.faults.push(`${name} must be an access token (access_…), not an API key.`)
  } else if (mode !== 'live') {
    read.faults.push(
      `${name} reads settlements of real money, but FLORIN_MODE is "${mode}". Remove it: Mollie ` +
        'has no settlements in test mode.',
    )
  }
  return token
}

interface KeyFormat {
  name: string
  processor: ProcessorName
  pattern: RegExp
  prefixes: Record<Mode, string>
  rule: string
}

const stripe_key: KeyFormat = {
  name: 'FLORIN_STRIPE_SECRET_KEY',
  processor: 'stripe',
  pattern: /^[sr]k_(?<kind>test|live)_[A-Za-z0-9_]+$/,
  prefixes: { sandbox: '"sk_test_" or "rk_test_"', live: '"sk_live_" or "rk_live_"' },
  rule: 'must be a secret key (sk_…) or a restricted key (rk_…), not a publishable key (pk_…)',
}

const mollie_key: KeyFormat = {
  name: 'FLORIN_MOLLIE_API_KEY',
  processor: 'mollie',
  pattern: /^(?<kind>test|live)_[A-Za-z0-9_]+$/,
  prefixes: { sandbox: '"test_"', live: '"live_"' },
  rule: 'must be an API key (test_… or live_…), not an access token',
}

function readKey(read: SettingReader, mode: Mode, format: KeyFormat): string {
  const { name, processor, pattern, prefixes, rule } = format
  const key = read.text(name)
  const kind = key && pattern.exec(key)?.groups?.kind
  if (key === undefined) {
    read.faults.push(`${name} must be set if FLORIN_PROCESSOR contains "${processor}".`)
  } else if (kind === undefined) {
    read.faults.push(`${name} ${rule}.`)
  } else if ((kind === 'live') !== (mode === 'live')) {
    const effect = kind === 'live' ? 'moves real money' : 'moves no money'
    read.faults.push(
      `${name} is a ${kind} key, which ${effect}, but FLORIN_MODE is "${mode}". ` +
        `Set a key that starts with ${prefixes[mode]}.`,
    )
  }
  return key ?? ''
}

function readWebhookSecrets(read: SettingReader, name: string): string[] {
  const secrets = read.list(name)
  if (secrets.length === 0) {
    read.faults.push(
      `${name} must be set if FLORIN_PROCESSOR contains "stripe": copy the signing secret ` +
        '(whsec_…) of the webhook endpoint.',
    )
  } else if (secrets.length > 2 || !secrets.every((secret) => /^whsec_\w+$/.test(secret))) {
    read.faults.push(
      `${name} must be a signing secret (whsec_…), or two during a rotation, separated by a comma.`,
    )
  }
  return secrets
}

// The path of the provider's API replaces any other, so a path here would be ignored.
const url_rule = 'must be an https URL without a path; http is accepted for loopback addresses'

function readApiUrl(read: SettingReader, name: string): string | undefined {
  const text = read.text(name)
  if (text === undefined) return undefined
  const address = parseWebAddress(text)
  const url = 'url' in address ? new URL(address.url) : undefined
  const is_safe = url && (url.protocol === 'https:' || isLoopbackName(url.hostname))
  if (is_safe && url.pathname === '/') return url.origin
  read.faults.push(`${name} ${url_rule}.`)
  return undefined
}
