// What handlers use: one object per server, passed to every handler.

import type { Registry } from '@prometheus-io/client'
import { bankDetailsFinder } from '../accounts/bank-details/find-bank-details.ts'
import { brandingFinder } from '../accounts/branding/find-branding.ts'
import { accountFinder } from '../accounts/get-account.ts'
import type { Config } from '../config.ts'
import { passkeySite } from '../identity/factors/passkeys.ts'
import { SecretKeys } from '../identity/factors/secret-keys.ts'
import { OidcProvider } from '../identity/oidc/provider.ts'
import type { FindCaller } from '../identity/sessions/find-caller.ts'
import type { LaneOptions } from '../lanes/account-lanes.ts'
import { batchTracer } from '../lanes/trace-batch.ts'
import { balanceFinder } from '../ledger/find-balance.ts'
import { checkoutPagePolicy } from '../pages/payment-assets.ts'
import { auditEntryFor as paymentAuditEntry } from '../payments/commands.ts'
import { paymentByTokenFinder, paymentFinder } from '../payments/find-payment.ts'
import { PaymentLanes } from '../payments/lanes.ts'
import { paymentRequests, refundFinder } from '../payments/refunds.ts'
import { returnUrlFinder } from '../payments/return-urls.ts'
import { timeReader } from '../postgres/clock.ts'
import type { Db } from '../postgres/database.ts'
import { toIso } from '../primitives/time.ts'
import { type Processor, takesCards } from '../processors/processor.ts'
import { auditEntryFor as subscriptionAuditEntry } from '../subscriptions/commands.ts'
import { SubscriptionLanes } from '../subscriptions/lanes.ts'
import type { Tracer } from '../tracing/tracer.ts'
import { auditEntryFor as transactionAuditEntry } from '../transactions/audit-entry-for.ts'
import { transactionFinder } from '../transactions/find-transaction.ts'
import { TransactionLanes } from '../transactions/lanes.ts'
import { transactionLister } from '../transactions/list-transactions.ts'
import { addressPolicy } from '../webhooks/address-policy.ts'
import type { EventStreams } from './event-streams.ts'
import { addressLimit, signUpLimit } from './hashing-client.ts'
import type { HealthHistory } from './health-history.ts'
import { InFlight } from './idempotency.ts'
import { RateLimit } from './rate-limit.ts'
import { bulkSubmitter, commandSubmitter } from './submit-command.ts'

export type Lanes = ReturnType<typeof openLanes>

export function openLanes(
  db: Db,
  public_url: string,
  { providers }: Processor,
  tracer: Tracer | undefined,
  limits?: LaneOptions,
) {
  const optionsFor = (lane: string) => ({
    ...limits,
    trace: tracer && batchTracer(tracer, lane),
  })
  const has_providers = providers.length > 0
  const payment_options = { ...optionsFor('payments'), has_providers }
  return {
    transactions: new TransactionLanes(
      db.reserved,
      optionsFor('transactions'),
      paymentRequests(public_url),
    ),
    payments: new PaymentLanes(db.reserved, public_url, payment_options),
    subscriptions: new SubscriptionLanes(db.reserved, public_url, optionsFor('subscriptions')),
  }
}

/** What the hooks and the handlers share. */
interface ServerParts {
  db: Db
  version: string
  processor: Processor
  findCaller: FindCaller
  streams: EventStreams
  registry: Registry
  history: HealthHistory
  /** False while the server drains, so that load balancers stop sending requests. */
  isServing: () => boolean
}

export type RouteContext = ReturnType<typeof buildContext>

export function buildContext(server: ServerParts, lanes: Lanes, config: Config) {
  const { db, processor } = server
  const { public_url, mode } = config
  const sandbox = mode === 'sandbox'
  // The name of this instance in authenticator apps and passkeys.
  const factor_issuer = `Florin ${new URL(public_url).host}`
  return {
    ...server,
    started_at: toIso(Date.now()),
    public_url,
    mode,
    sandbox,
    lanes: lanes.transactions,
    payment_lanes: lanes.payments,
    subscription_lanes: lanes.subscriptions,
    takes_cards: takesCards(processor),
    oidc: config.oidc && new OidcProvider(config.oidc, public_url),
    sends_email: config.smtp !== undefined,
    signup_open: config.signup === 'open',
    passwords: { length_min: config.password_min, reject_common: !sandbox },
    secret_keys: new SecretKeys(config.secret_keys),
    factor_issuer,
    passkey_site: passkeySite(public_url, factor_issuer),
    countSignUp: signUpLimit(config.rate_limit !== undefined),
    email_change_policy: sandbox ? 'at_once' : { confirmed_under: public_url },
    sign_up_policy: sandbox ? 'active_at_once' : { verified_under: public_url },
    webhook_addresses: addressPolicy(config),
    findAccount: accountFinder(db),
    findBalance: balanceFinder(db),
    findTransaction: transactionFinder(db),
    listTransactions: transactionLister(db),
    findPayment: paymentFinder(db),
    ...transactionSubmitters(lanes.transactions),
    submitPayment: commandSubmitter(lanes.payments, paymentAuditEntry),
    submitSubscription: commandSubmitter(lanes.subscriptions, subscriptionAuditEntry),
    // The payment page.
    base_path: new URL(public_url).pathname.replace(/\/$/, ''),
    instructions: config.payment_instructions,
    bank_account: config.bank_account,
    findBankDetails: bankDetailsFinder(db),
    findPaymentByToken: paymentByTokenFinder(db),
    findRefund: refundFinder(db),
    findBranding: brandingFinder(db),
    findReturnUrls: returnUrlFinder(db, sandbox),
    readNow: timeReader(db),
    resubmissions: new RateLimit(resubmissions_per_second),
    late_payments: config.late_payments,
    checkout_policy: checkoutPagePolicy(testOrigins(config)),
    return_fetches: new RateLimit(1),
    checkout_starts: new RateLimit(checkout_starts_per_second),
    countLinkStart: addressLimit(config.rate_limit !== undefined, link_starts),
  } as const
}

/** One key may not be in flight twice, whichever of the two requests it was sent with. */
function transactionSubmitters(lanes: TransactionLanes) {
  const in_flight = new InFlight()
  return {
    submitTransaction: commandSubmitter(lanes, transactionAuditEntry, in_flight),
    submitTransactions: bulkSubmitter(lanes, transactionAuditEntry, in_flight),
  }
}

// A class or an audience may share an address.
const link_starts = { burst: 120, refill_ms: 5_000 }

// Per payment request. A payer who opens the provider's page needs one, and a double click two.
const checkout_starts_per_second = 5

/** The addresses of test servers that play a provider. Real providers use https. */
function testOrigins({ stripe, mollie }: Config): string[] {
  const urls = [stripe?.api_url, mollie?.api_url].flatMap((url) => (url ? [new URL(url)] : []))
  return urls.filter(({ protocol }) => protocol === 'http:').map(({ origin }) => origin)
}

// Rejecting a request over the rate limit must stay cheap, and the payment page needs a query. A
// person submits a form once a second at most. Ten leave room for a shared address; a flood gets
// the plain page.
const resubmissions_per_second = 10
