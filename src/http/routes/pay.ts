// The payment page: whoever has the link sees what is asked for, and pays. Looking changes nothing;
// only the form does. No card number is kept, logged or shown again.

import formbody from '@fastify/formbody'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountRow } from '../../accounts/account.ts'
import { accountFinder } from '../../accounts/get-account.ts'
import { isFormToken } from '../../pages/form-token.ts'
import { paymentPage } from '../../pages/payment-page.ts'
import {
  type Language,
  languageFromQuery,
  preferredLanguage,
} from '../../pages/payment-translations.ts'
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

/** A request with its account, and the business time it was read at. */
interface PaymentContext {
  row: PaymentRow
  account: AccountRow
  now: Date
  /** What its reader has chosen. */
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
  const forms_again = new RateLimit(forms_again_per_second)

  async function findPaymentContext(request: FastifyRequest): Promise<PaymentContext | undefined> {
    const { token } = request.params as Link['Params']
    const lang = languageFromQuery(request.query)
    const [row, now] = await Promise.all([findPayment(token), readNow()])
    if (row === undefined) return undefined
    const [account, refund] = await Promise.all([findAccount(row.account_id), findRefund(row)])
    return account && { row: asClosed(row, account.closed_at), account, now, lang, refund }
  }

  /** As whoever looks sees it. */
  function show(reply: FastifyReply, asked: PaymentContext, more: Partial<Moment> = {}) {
    const { row, account, ...moment } = asked
    const view = viewPayment(row, account, view_options, { ...moment, ...more })
    const status = more.error && errorStatus[more.error.code]
    return sendPaymentPage(reply, status ?? 200, paymentPage(view))
  }

  /** As whoever tried to pay in vain sees it. */
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

  // What the link says was read by nobody, and it stands on a page of ours.
  function away(request: FastifyRequest, facts: PageFacts): PaymentView {
    const token = encodeURIComponent((request.params as Link['Params']).token)
    const page_url = pathOf({ token }, facts, languageFromQuery(request.query))
    return { ...facts, state: 'away', page_url }
  }

  function takesMoney({ row, account, now }: PaymentContext): boolean {
    return viewPayment(row, account, view_options, { now }).state === 'form'
  }

  /** The form again for whoever sends it too often. What was sent is not read: nothing is paid. */
  async function sendTooMany(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const asked = request.method === 'POST' ? await findRefused(request) : undefined
    if (asked === undefined) {
      sendError(error, request, reply)
      return reply
    }
    const { headers, body } = errorResponseFor(error)
    request.error_code = body.error
    return show(reply.headers(headers), asked, { error: { code: 'too_many' } })
  }

  // In trouble it finds nothing: whoever is refused for the limit is told of the limit.
  async function findRefused(request: FastifyRequest): Promise<PaymentContext | undefined> {
    try {
      forms_again.count(rateLimitAddress(request.ip))
      const asked = await findPaymentContext(request)
      return asked && takesMoney(asked) ? asked : undefined
    } catch {
      return undefined
    }
  }

  async function pay(
    request: FastifyRequest<Link>,
    reply: FastifyReply,
    asked: PaymentContext,
  ): Promise<FastifyReply> {
    const { row, now, lang } = asked
    if (!takesMoney(asked)) return showEnded(reply, asked)
    const code = validateSender(request, row)
    if (code !== undefined) return show(reply, asked, { error: { code } })
    const { card, faults, values } = readPaymentForm(request.body, now)
    if (faults) return show(reply, asked, { error: { code: 'malformed', faults }, values })
    const response = await payByCard(parts, row, card)
    if (response === 'paid') return reply.redirect(pathOf(row, parts, lang), 303)
    if (response === 'refused')
      return show(reply, asked, { error: { code: 'card_refused' }, values })
    // The tenth declined card ends it: then there is no form to show again.
    const after = (await findPaymentContext(request)) ?? asked
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
      const asked = await findPaymentContext(request)
      if (asked === undefined) return sendUnavailable(request, reply, 'not_found')
      return show(reply, asked)
    })

    app.post<Link>('/pay/:token', options, async (request, reply) => {
      const asked = await findPaymentContext(request)
      if (asked === undefined) return sendUnavailable(request, reply, 'not_found')
      try {
        return await pay(request, reply, asked)
      } catch (error) {
        // Somebody was faster, or its time was over: the page says what has become of it.
        const ended = error instanceof Refusal && error.code !== 'unavailable'
        const after = ended ? await findPaymentContext(request) : undefined
        if (after === undefined) throw error
        return showEnded(reply, after)
      }
    })
  }
}

// A refusal for the limit must stay cheap, and this one reads the database. A person sends a form
// once a second; ten leave room for those who share an address, and a flood gets the plain page.
const forms_again_per_second = 10

/** With which status the form is shown again; 200 where the card or what was typed is at fault. */
const errorStatus: Partial<Record<PaymentFormError['code'], number>> = {
  cross_site: 403,
  form_expired: 403,
  too_many: 429,
}

/**
 * What the browser says about who sent the form decides; the form's own token does where it says
 * nothing, as over plain http or from an older one.
 */
function validateSender(
  request: FastifyRequest,
  { token }: PaymentRow,
): 'cross_site' | 'form_expired' | undefined {
  if (isCrossSite(request)) return 'cross_site'
  if (isOwnPage(request)) return undefined
  return isFormToken(token, readFormToken(request.body), Date.now()) ? undefined : 'form_expired'
}
