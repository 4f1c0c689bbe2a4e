// Checks of florin doctor for the payment processors. Settings with a missing key, a missing secret
// or a key of the wrong mode are reported before these checks run.

import { groupByFour } from '../../bank/iban.ts'
import type { Config } from '../../config.ts'
import type { Queryable } from '../../postgres/database.ts'
import { findLastWebhook } from '../../processors/find-provider-state.ts'
import { openProcessor } from '../../processors/processor.ts'
import { type Provider, ProviderError } from '../../processors/provider.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const titles: Record<Provider['name'], string> = { stripe: 'Stripe', mollie: 'Mollie' }

// Signatures older than 300 seconds are rejected.
const skew_max_s = 60

/** Makes one harmless call to each provider. */
export async function checkProcessor(config: Config): Promise<Finding[]> {
  const { providers } = await openProcessor(config)
  const checks = providers.flatMap((provider) => [checkProvider(provider), checkToken(provider)])
  const findings = (await Promise.all(checks)).filter((finding) => finding !== undefined)
  if (config.processors.includes('bank_transfer')) findings.push(checkBankAccount(config))
  if (findings.length > 0) return findings
  const is_sandbox = config.processors.includes('sandbox')
  const manual = 'manual: an admin or a platform settles every payment'
  return [ok('Processor', is_sandbox ? 'sandbox: test cards only, no money moves' : manual)]
}

function checkBankAccount({ bank_account }: Config): Finding {
  const title = 'Bank transfers'
  if (bank_account !== undefined) {
    return ok(title, `to ${bank_account.name}, IBAN ${groupByFour(bank_account.iban)}`)
  }
  const advice = 'Set FLORIN_BANK_IBAN and FLORIN_BANK_NAME.'
  return warn(title, `Only accounts with bank details that an admin has set take them. ${advice}`)
}

async function checkProvider(provider: Provider): Promise<Finding> {
  const title = titles[provider.name]
  try {
    const { at } = await provider.check()
    const skew_s = Math.round(Math.abs(at.getTime() - Date.now()) / 1_000)
    if (skew_s > skew_max_s) {
      const advice = 'Synchronize it: webhooks that seem older than 300 s are rejected.'
      return warn(title, `The clock of this machine is ${skew_s} s off. ${advice}`)
    }
    return ok(title, `the ${provider.is_live ? 'live' : 'test'} key works, the clock is right`)
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const is_rejected = error.code === '401' || error.code === '403'
    if (is_rejected) return fail(title, `The key was rejected. ${error.message}`)
    // Florin runs without it: only the payment page and refunds wait.
    return warn(title, `The key could not be checked. ${error.message}`)
  }
}

/** Stripe's key also reads the balance. Mollie needs a token for it. */
async function checkToken({ name, balance }: Provider): Promise<Finding | undefined> {
  if (name !== 'mollie' || balance === undefined) return undefined
  const title = 'Mollie settlements'
  try {
    await balance.listSettlements({ since: new Date() }, undefined)
    return ok(title, 'the access token works')
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    if (error.code === '401' || error.code === '403') return fail(title, error.message)
    return warn(title, `The access token could not be checked. ${error.message}`)
  }
}

/** Whether webhooks arrive. Mollie gets the URL with every payment, so nothing can be forgotten. */
export async function checkWebhooks(db: Queryable, config: Config): Promise<Finding[]> {
  if (config.stripe === undefined) return []
  const last = await findLastWebhook(db, 'stripe')
  if (last !== null) return [ok('Webhooks', `the last one of Stripe arrived ${last.toISOString()}`)]
  const url = `${config.public_url}/v1/processors/stripe/webhook`
  const advice = `Create an endpoint for ${url} at Stripe. Until then payments take longer.`
  return [warn('Webhooks', `None of Stripe has arrived yet. ${advice}`)]
}
