// The page of a reusable payment link. Anyone with the link can start a payment: the form creates a
// payment request and leads to its page.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { isFormToken, makeFormToken } from '../../pages/form-token.ts'
import { type LinkFacts, type LinkForm, linkEndPage, linkFormPage } from '../../pages/link-page.ts'
import { brandOf } from '../../pages/payment-brand.ts'
import { readLinkForm } from '../../pages/read-link-form.ts'
import { readFormToken } from '../../pages/read-payment-form.ts'
import { pathOf } from '../../pages/view-payment.ts'
import { type LinkEnd, type LinkRow, linkEnd, linkUrl } from '../../payment-links/payment-link.ts'
import { findLinkBySlug, startPayment } from '../../payment-links/start-payment.ts'
import { newSecret } from '../../primitives/secrets.ts'
import {
  inLanguage,
  type Language,
  languageFromQuery,
  localizationFor,
  preferredLanguage,
} from '../../translations/localization.ts'
import { isCrossSite, isOwnPage } from '../cross-site.ts'
import { errorResponseFor } from '../errors.ts'
import { body_max_bytes } from '../json-body.ts'
import { page } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { sendPayerPage, sendPaymentPage } from '../send-page.ts'

const link = {
  url: '/l/:slug',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never', form: true },
  schema: { params: Type.Object({ slug: Type.String() }) },
} as const

export const linkPageRoute = page({
  ...link,
  method: 'GET',
  handler: async (request, context, reply) => {
    const found = await findShown(context, request)
    if (found === undefined) return sendNotFound(context, request, reply)
    return showForm(reply, found)
  },
})

export const startLinkPaymentRoute = page({
  ...link,
  method: 'POST',
  handler: async (request, context, reply) => {
    const found = await findShown(context, request)
    if (found === undefined) return sendNotFound(context, request, reply)
    return start(context, request, reply, found)
  },
})

export const linkPageRoutes = [linkPageRoute, startLinkPaymentRoute]

interface Shown {
  row: LinkRow
  facts: LinkFacts
  end: LinkEnd | undefined
  form_action: string
  lang: Language | undefined
}

async function findShown(
  context: RouteContext,
  request: FastifyRequest,
): Promise<Shown | undefined> {
  const { slug } = request.params as { slug: string }
  const found = await findLinkBySlug(context.db, slug)
  const account = found && (await context.findAccount(found.row.account_id))
  if (account === undefined) return undefined
  const { row, uses } = found!
  const { base_path } = context
  const branding = await context.findBranding(row.account_id)
  const lang = languageFromQuery(request.query)
  const preferred = lang ?? preferredLanguage(request.headers['accept-language'])
  const page_path = linkUrl(row, base_path)
  const { title, currency, amount, amount_min, amount_max, amount_suggested } = row
  return {
    row,
    lang,
    end: linkEnd(row, uses, account, await context.readNow()),
    form_action: lang === undefined ? page_path : `${page_path}?lang=${lang}`,
    facts: {
      account_name: account.name,
      title,
      currency,
      amount,
      amount_min,
      amount_max,
      amount_suggested,
      language: inLanguage(account.language, preferred),
      sandbox: context.sandbox,
      base_path,
      page_path,
      brand: brandOf(branding, { base_path, has_links: account.status === 'active' }),
    },
  }
}

/** The form, unless the link has ended meanwhile. */
function showForm(
  reply: FastifyReply,
  { row, facts, form_action, end }: Shown,
  more: Partial<LinkForm> = {},
  status = 200,
): FastifyReply {
  if (end !== undefined)
    return sendPayerPage(reply, 200, linkEndPage(facts, end), facts.brand.accent)
  const form_token = makeFormToken(row.slug, Date.now())
  const form = { form_action, form_token, form_id: newSecret(''), ...more }
  return sendPayerPage(reply, status, linkFormPage(facts, form), facts.brand.accent)
}

function sendNotFound(
  { sandbox, base_path }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const chosen = languageFromQuery(request.query)
  const language = chosen ?? preferredLanguage(request.headers['accept-language'])
  return sendPaymentPage(reply, 404, { sandbox, base_path, language, state: 'not_found' })
}

async function start(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  found: Shown,
): Promise<FastifyReply> {
  const { row, facts, lang } = found
  const { locale } = localizationFor(facts.language)
  const form = readLinkForm(request.body, facts, locale, row.slug)
  const { values, faults, amount, form_key } = form
  if (isCrossSite(request)) return showForm(reply, found, { values, error: 'cross_site' }, 403)
  if (form_key === undefined || !isFromPage(request, row)) {
    return showForm(reply, found, { values, error: 'form_expired' }, 403)
  }
  if (faults !== undefined) return showForm(reply, found, { values, faults })
  try {
    context.countLinkStart(request)
  } catch (error) {
    const { headers, body } = errorResponseFor(error)
    request.error_code = body.error
    return showForm(reply.headers(headers), found, { values, error: 'too_many' }, 429)
  }
  const started = await startPayment(context, row, {
    customer_email: values.email,
    amount,
    form_key,
    expires_after_ms: lifetimeOf(context),
  })
  if ('end' in started) return showForm(reply, { ...found, ...started })
  return reply.redirect(pathOf(started, context, lang), 303)
}

const hour_ms = 3_600_000

/** A transfer takes days. Otherwise an abandoned payment blocks a use for an hour only. */
function lifetimeOf({ processor }: RouteContext): number {
  return processor.takes_transfers ? 7 * 24 * hour_ms : hour_ms
}

function isFromPage(request: FastifyRequest, { slug }: LinkRow): boolean {
  return isOwnPage(request) || isFormToken(slug, readFormToken(request.body), Date.now())
}
