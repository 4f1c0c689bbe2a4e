// The payment page. Anyone with the link sees the payment request and can pay it. Only the form
// changes anything. Card numbers are never stored, logged or shown again.

import formbody from '@fastify/formbody'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountRow } from '../../accounts/account.ts'
import { accountFinder } from '../../accounts/get-account.ts'
import { isFormToken } from '../../pages/form-token.ts'
import { paymentPage } from '../../pages/payment-page.ts'
import type {
  PageFacts,
  PaymentFormError,
  PaymentView,
  ShownRefund,
} from '../../pages/payment-view.ts'
import { readFormToken, readPaymentForm } from '../../pages/read-payment-form.ts'
import {
  type Moment,
  pathOf,
  type ViewOptions,
  viewEnded,
  viewPayment,
} from '../../pages/view-payment.ts'
import { paymentByTokenFinder } from '../../payments/find-payment.ts'
import { type PayingParts, payByCard } from '../../payments/pay-by-card.ts'
import type { PaymentRow } from '../../payments/payment.ts'
import { refundFinder } from '../../payments/refunds.ts'
import { timeReader } from '../../postgres/clock.ts'
import type { Db } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { takesCards } from '../../processors/processor.ts'
import { asClosed } from '../../transactions/apply-closings.ts'
import {
  type Language,
  languageFromQuery,
  preferredLanguage,
} from '../../translations/localization.ts'
import { rateLimitAddress } from '../client-address.ts'
import { isCrossSite, isOwnPage } from '../cross-site.ts'
import { errorResponseFor, logFailure, sendError } from '../errors.ts'
import { body_max_bytes } from '../json-body.ts'
import { parseForm } from '../query-string.ts'
import { RateLimit } from '../rate-limit.ts'
import { sendPaymentPage } from '../send-page.ts'

export interface PayParts extends PayingParts, PageFacts {
  db: Db
  payment_instructions: string | undefined
}

interface Link {
  Params: { token: string }
}

const options = {
  bodyLimit: body_max_bytes.login,
  config: { access: { token: 'never', form: true } },
  schema: { hide: true },
} as const

/** A payment request with its account and the business time of the read. */
interface PaymentContext {
  row: PaymentRow
  account: AccountRow
  now: Date
  /** The language that the customer chose. */
  lang: Language | undefined
  refund: ShownRefund | undefined
}

export function payRoutes(parts: PayParts): FastifyPluginAsync {
  const { db, sandbox, base_path, processor } = parts
  const view_options: ViewOptions = {
    sandbox,
    base_path,
    takes_cards: takesCards(processor),
    instructions: parts.payment_instructions,
  }
  const findPayment = paymentByTokenFinder(db)
  const findAccount = accountFinder(db)
  const findRefund = refundFinder(db)
  const readNow = timeReader(db)
  const resubmissions = new RateLimit(resubmissions_per_second)

  async function findPaymentContext(request: FastifyRequest): Promise<PaymentContext | undefined> {
    const { token } = request.params as Link['Params']
    const lang = languageFromQuery(request.query)
    const [row, now] = await Promise.all([findPayment(token), readNow()])
    if (row === undefined) return undefined
    const [account, refund] = await Promise.all([findAccount(row.account_id), findRefund(row)])
    return account && { row: asClosed(row, account.closed_at), account, now, lang, refund }
  }

  /** Shows the page for the current state. */
  function show(reply: FastifyReply, context: PaymentContext, more: Partial<Moment> = {}) {
    const { row, account, ...moment } = context
    const view = viewPayment(row, account, view_options, { ...moment, ...more })
    const status = more.error && errorStatus[more.error.code]
    return sendPaymentPage(reply, status ?? 200, paymentPage(view))
  }

  /** Shows the page after a payment attempt on a request that can no longer be paid. */
  function showEnded(
    reply: FastifyReply,
    { row, account, ...moment }: PaymentContext,
  ): FastifyReply {
    const view = viewEnded(row, account, view_options, moment)
    return sendPaymentPage(reply, 200, paymentPage(view))
  }

  function sendUnavailable(
    request: FastifyRequest,
    reply: FastifyReply,
    state: 'not_found' | 'away',
  ) {
    const chosen = languageFromQuery(request.query)
    const language = chosen ?? preferredLanguage(request.headers['accept-language'])
    const facts = { sandbox, base_path, language }
    const view: PaymentView = state === 'away' ? away(request, facts) : { ...facts, state }
    return sendPaymentPage(reply, state === 'away' ? 503 : 404, paymentPage(view))
  }

  // The token in the link was not looked up, so it is encoded before it goes on the page.
  function away(request: FastifyRequest, facts: PageFacts): PaymentView {
    const token = encodeURIComponent((request.params as Link['Params']).token)
    const page_url = pathOf({ token }, facts, languageFromQuery(request.query))
    return { ...facts, state: 'away', page_url }
  }

  function takesMoney({ row, account, now }: PaymentContext): boolean {
    return viewPayment(row, account, view_options, { now }).state === 'form'
  }

  /**
   * Shows the form again after too many requests. The submitted form is not read, so nothing
   * is paid.
   */
  async function sendTooMany(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const context = request.method === 'POST' ? await findPayableContext(request) : undefined
    if (context === undefined) {
      sendError(error, request, reply)
      return reply
    }
    const { headers, body } = errorResponseFor(error)
    request.error_code = body.error
    return show(reply.headers(headers), context, { error: { code: 'too_many' } })
  }

  // Finds nothing on a failure: the client then gets the plain rate limit error.
  async function findPayableContext(request: FastifyRequest): Promise<PaymentContext | undefined> {
    try {
      resubmissions.count(rateLimitAddress(request.ip))
      const context = await findPaymentContext(request)
      return context && takesMoney(context) ? context : undefined
    } catch {
      return undefined
    }
  }

  async function pay(
    request: FastifyRequest<Link>,
    reply: FastifyReply,
    context: PaymentContext,
  ): Promise<FastifyReply> {
    const { row, now, lang } = context
    if (!takesMoney(context)) return showEnded(reply, context)
    const code = validateSender(request, row)
    if (code !== undefined) return show(reply, context, { error: { code } })
    const { card, faults, values } = readPaymentForm(request.body, now)
    if (faults) return show(reply, context, { error: { code: 'malformed', faults }, values })
    const response = await payByCard(parts, row, card)
    if (response === 'paid') return reply.redirect(pathOf(row, parts, lang), 303)
    if (response === 'refused')
      return show(reply, context, { error: { code: 'card_refused' }, values })
    // The tenth declined card fails the request, so there may be no form to show again.
    const after = (await findPaymentContext(request)) ?? context
    return show(reply, after, { error: { code: response }, values })
  }

  return async (app) => {
    await app.register(formbody, { parser: parseForm })
    app.setErrorHandler((error, request, reply) => {
      const { status, headers } = errorResponseFor(error)
      if (status === 429) return sendTooMany(error, request, reply)
      if (status !== 503) return sendError(error, request, reply)
      logFailure(error, status, request)
      return sendUnavailable(request, reply.headers(headers), 'away')
    })

    app.get<Link>('/pay/:token', options, async (request, reply) => {
      const context = await findPaymentContext(request)
      if (context === undefined) return sendUnavailable(request, reply, 'not_found')
      return show(reply, context)
    })

    app.post<Link>('/pay/:token', options, async (request, reply) => {
      const context = await findPaymentContext(request)
      if (context === undefined) return sendUnavailable(request, reply, 'not_found')
      try {
        return await pay(request, reply, context)
      } catch (error) {
        // A concurrent payment won, or the request expired: the page shows its current
        // state.
        const ended = error instanceof Refusal && error.code !== 'unavailable'
        const after = ended ? await findPaymentContext(request) : undefined
        if (after === undefined) throw error
        return showEnded(reply, after)
      }
    })
  }
}

// Rejecting a request over the rate limit must stay cheap, and this page needs a query. A person
// submits a form once a second at most. Ten leave room for a shared address; a flood gets the
// plain page.
const resubmissions_per_second = 10

/** The status of the form shown again; 200 when the card or the input was the problem. */
const errorStatus: Partial<Record<PaymentFormError['code'], number>> = {
  cross_site: 403,
  form_expired: 403,
  too_many: 429,
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
