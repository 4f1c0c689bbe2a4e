// The payment page. Anyone with the link sees the payment request and can pay it. Only the form
// changes anything. Card numbers are never stored, logged or shown again.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AccountRow } from '../../accounts/account.ts'
import type { BankDetailsRow } from '../../accounts/bank-details/bank-details.ts'
import type { BrandingRow } from '../../accounts/branding/branding.ts'
import { isFormToken } from '../../pages/form-token.ts'
import type {
  CheckoutError,
  PageFacts,
  PaymentFormError,
  PaymentView,
  ShownRefund,
} from '../../pages/payment-view.ts'
import { readConfirmation, readFormToken, readPaymentForm } from '../../pages/read-payment-form.ts'
import { backUrlOf, type Moment, pathOf, viewEnded, viewPayment } from '../../pages/view-payment.ts'
import { payByCard } from '../../payments/pay-by-card.ts'
import type { PaymentRow } from '../../payments/payment.ts'
import type { ReturnUrls } from '../../payments/return-urls.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { asClosed } from '../../transactions/apply-closings.ts'
import { findRefundCredits } from '../../transactions/charges.ts'
import { findSucceededRefunds } from '../../transactions/list-refunds.ts'
import {
  inLanguage,
  type Language,
  languageFromQuery,
  localizationFor,
  preferredLanguage,
} from '../../translations/localization.ts'
import { rateLimitAddress } from '../client-address.ts'
import { isCrossSite, isOwnPage } from '../cross-site.ts'
import { errorResponseFor, logFailure, sendError } from '../errors.ts'
import { body_max_bytes } from '../json-body.ts'
import { page } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { sendPaymentPage } from '../send-page.ts'
import { isProcessing, startCheckout } from './pay-checkout.ts'

const link = {
  url: '/pay/:token',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never', form: true },
  schema: { params: Type.Object({ token: Type.String() }) },
  onError: showFailure,
} as const

export const paymentPageRoute = page({
  ...link,
  method: 'GET',
  handler: async (request, context, reply) => {
    const found = await findShown(context, request)
    if (found === undefined) return sendUnavailable(context, request, reply, 'not_found')
    const is_processing = await isProcessing(context, request, found.row)
    const has_asked = 'returned' in (request.query as object)
    const after = has_asked ? await findShown(context, request) : found
    return show(context, reply, after ?? found, { is_processing })
  },
})

export const payRoute = page({
  ...link,
  method: 'POST',
  handler: async (request, context, reply) => {
    const found = await findShown(context, request)
    if (found === undefined) return sendUnavailable(context, request, reply, 'not_found')
    try {
      return await pay(context, request, reply, found)
    } catch (error) {
      // A concurrent payment won, or the request expired: the page shows its current state.
      const ended = error instanceof Refusal && error.code !== 'unavailable'
      const after = ended ? await findShown(context, request) : undefined
      if (after === undefined) throw error
      return showEnded(context, reply, after)
    }
  },
})

/**
 * Redirects to the account's site. The origin is checked now, because the page may have been open
 * for days. Without a URL that may be used, it redirects to the payment page.
 */
export const returnRoute = page({
  ...link,
  method: 'GET',
  url: '/pay/:token/return',
  handler: async (request, context, reply) => {
    const found = await findShown(context, request)
    if (found === undefined) return sendUnavailable(context, request, reply, 'not_found')
    const { row, account, returns, lang } = found
    return reply.redirect(backUrlOf(row, account, returns) ?? pathOf(row, context, lang), 303)
  },
})

export const payRoutes = [paymentPageRoute, payRoute, returnRoute]

/** A payment request with its account and the business time of the read. */
interface Shown {
  row: PaymentRow
  account: AccountRow
  now: Date
  /** The language that the customer chose. */
  lang: Language | undefined
  accept_language: string | undefined
  refund: ShownRefund | undefined
  refund_ids: string[]
  returns: ReturnUrls
  branding: BrandingRow
  bank_details: BankDetailsRow | undefined
}

async function findShown(
  context: RouteContext,
  request: FastifyRequest,
): Promise<Shown | undefined> {
  const { findPaymentByToken, readNow, findAccount } = context
  const lang = languageFromQuery(request.query)
  const accept_language = request.headers['accept-language']
  const [row, now] = await Promise.all([findPaymentByToken(tokenOf(request)), readNow()])
  if (row === undefined) return undefined
  const [account, refund, returns, branding, bank_details] = await Promise.all([
    findAccount(row.account_id),
    context.findRefund(row),
    context.findReturnUrls(row),
    context.findBranding(row.account_id),
    context.processor.has_bank_account ? context.findBankDetails(row.account_id) : undefined,
  ])
  if (account === undefined) return undefined
  const shown = asClosed(row, account.closed_at)
  const refund_ids = refund === undefined ? [] : await findRefundIds(context, row)
  const facts = { now, lang, accept_language, refund, refund_ids, returns, branding, bank_details }
  return { row: shown, account, ...facts }
}

/** Oldest first, without refunds that were returned. The page has a link to each credit note. */
async function findRefundIds({ db }: RouteContext, row: PaymentRow): Promise<string[]> {
  const { account_id, transaction_id } = row
  const newest_first = await findSucceededRefunds(db, account_id, transaction_id!)
  const keys = newest_first.map((id) => ({ account_id, id }))
  const credits = await findRefundCredits(db, keys)
  const kept = newest_first.filter((id) => !credits.has(id))
  return kept.reverse().slice(0, credit_notes_max)
}

// A page with more links is of no use. The account has them all.
const credit_notes_max = 20

function tokenOf({ params }: FastifyRequest): string {
  return (params as { token: string }).token
}

/** Shows the page for the current state. */
function show(
  context: RouteContext,
  reply: FastifyReply,
  { row, account, ...moment }: Shown,
  more: Partial<Moment> = {},
): FastifyReply {
  const view = viewPayment(row, account, context, { ...moment, ...more })
  const error = more.error?.code ?? more.checkout_error
  const status = error && errorStatus[error]
  const policy = view.state === 'checkout' ? context.checkout_policy : undefined
  return sendPaymentPage(reply, status ?? 200, view, policy)
}

/** Shows the page after a payment attempt on a request that can no longer be paid. */
function showEnded(
  context: RouteContext,
  reply: FastifyReply,
  { row, account, ...moment }: Shown,
): FastifyReply {
  return sendPaymentPage(reply, 200, viewEnded(row, account, context, moment))
}

function sendUnavailable(
  { sandbox, base_path }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  state: 'not_found' | 'away',
): FastifyReply {
  const chosen = languageFromQuery(request.query)
  const language = chosen ?? preferredLanguage(request.headers['accept-language'])
  const facts = { sandbox, base_path, language }
  const view: PaymentView = state === 'away' ? away(request, facts) : { ...facts, state }
  return sendPaymentPage(reply, state === 'away' ? 503 : 404, view)
}

// The token in the link was not looked up, so it is encoded before it goes on the page.
function away(request: FastifyRequest, facts: PageFacts): PaymentView {
  const token = encodeURIComponent(tokenOf(request))
  const page_url = pathOf({ token }, facts, languageFromQuery(request.query))
  return { ...facts, state: 'away', page_url }
}

function takesMoney(context: RouteContext, { row, account, now }: Shown): boolean {
  const { state } = viewPayment(row, account, context, { now })
  return state === 'form' || state === 'checkout'
}

function showFailure(
  error: unknown,
  request: FastifyRequest,
  context: RouteContext,
  reply: FastifyReply,
): unknown {
  const { status, headers } = errorResponseFor(error)
  if (status === 429) return sendTooMany(error, request, context, reply)
  if (status !== 503) return sendError(error, request, reply)
  logFailure(error, status, request)
  return sendUnavailable(context, request, reply.headers(headers), 'away')
}

/**
 * Shows the form again after too many requests. The submitted form is not read, so nothing is
 * paid.
 */
async function sendTooMany(
  error: unknown,
  request: FastifyRequest,
  context: RouteContext,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = request.method === 'POST' ? await findPayable(context, request) : undefined
  if (found === undefined) {
    sendError(error, request, reply)
    return reply
  }
  const { headers, body } = errorResponseFor(error)
  request.error_code = body.error
  return show(context, reply.headers(headers), found, errorOf('too_many'))
}

// Finds nothing on a failure: the client then gets the plain rate limit error.
async function findPayable(
  context: RouteContext,
  request: FastifyRequest,
): Promise<Shown | undefined> {
  try {
    context.resubmissions.count(rateLimitAddress(request.ip))
    const found = await findShown(context, request)
    return found && takesMoney(context, found) ? found : undefined
  } catch {
    return undefined
  }
}

async function pay(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Shown,
): Promise<FastifyReply> {
  const { row, now, lang } = found
  if (!takesMoney(context, found)) return showEnded(context, reply, found)
  const code = validateSender(request, row)
  if (code !== undefined) return show(context, reply, found, errorOf(code))
  if (context.processor.providers.length > 0) return payAtProvider(context, request, reply, found)
  const { card, faults, values } = readPaymentForm(request.body, now)
  if (faults) return show(context, reply, found, { error: { code: 'malformed', faults }, values })
  const confirmation = readConfirmation(request.body)
  const response = await payByCard(context, row, { ...card, confirmation })
  if (response === 'paid' || response === 'disputed') {
    return reply.redirect(pathOf(row, context, lang), 303)
  }
  if (response === 'needs_confirmation') {
    return show(context, reply, found, { confirm_card: card.number })
  }
  if (response === 'refused')
    return show(context, reply, found, { error: { code: 'card_refused' }, values })
  // The tenth declined card fails the request, so there may be no form to show again.
  const after = (await findShown(context, request)) ?? found
  return show(context, reply, after, { error: { code: response }, values })
}

async function payAtProvider(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Shown,
): Promise<FastifyReply> {
  const { row, account, lang, accept_language } = found
  const preferred = lang ?? preferredLanguage(accept_language)
  const language = localizationFor(inLanguage(account.language, preferred)).lang
  const start = await startCheckout(context, request, { row, account, language })
  if (start === 'processing') return show(context, reply, found, { is_processing: true })
  if (typeof start === 'string') return show(context, reply, found, { checkout_error: start })
  return reply.redirect(start.url, 303)
}

/** For the card form and the choice of providers. */
function errorOf(code: 'cross_site' | 'form_expired' | 'too_many'): Partial<Moment> {
  return { error: { code }, checkout_error: code }
}

/** The status of the form shown again; 200 when the card or the input was the problem. */
const errorStatus: Partial<Record<PaymentFormError['code'] | CheckoutError, number>> = {
  cross_site: 403,
  form_expired: 403,
  too_many: 429,
  unavailable: 503,
  rejected: 503,
}

/**
 * Sec-Fetch-Site decides which site sent the form. The form token decides when the header is
 * missing, as over plain http or from an older browser.
 */
function validateSender(
  request: FastifyRequest,
  { token }: PaymentRow,
): 'cross_site' | 'form_expired' | undefined {
  if (isCrossSite(request)) return 'cross_site'
  if (isOwnPage(request)) return undefined
  return isFormToken(token, readFormToken(request.body), Date.now()) ? undefined : 'form_expired'
}
