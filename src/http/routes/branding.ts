// The logo, color and contact of an account, and the public URL of its logo.

import { Type } from 'typebox'
import { deleteLogo, setLogo, updateBranding } from '../../accounts/branding/change-branding.ts'
import { findLogo, getBranding } from '../../accounts/branding/find-branding.ts'
import { findUuid } from '../../primitives/ids.ts'
import { HttpFault } from '../http-fault.ts'
import { body_max_bytes } from '../json-body.ts'
import { page, route } from '../route.ts'
import { brandingInput } from '../schemas/branding.ts'
import { strictObject, withoutBody } from '../schemas/resources.ts'
import { refused } from '../schemas/response.ts'
import { sendBytes } from '../send-document.ts'
import { notPermitted } from './webhooks.ts'

const tags = ['Accounts']
// Step-up: it decides where payers send their money.
const access = { token: 'required', operation: 'update_branding', step_up: true } as const
const success = [200, 'The branding.', Type.Ref('Branding')] as const

export const getBrandingRoute = route({
  method: 'GET',
  url: '/v1/account/branding',
  access: { token: 'required', operation: 'retrieve_account' },
  schema: {
    tags,
    operationId: 'getBranding',
    summary: 'Retrieve the branding of your account',
    description:
      'Returns the logo, color, contact and payment instructions that payers see. Values that ' +
      'were never set are null.',
  },
  success,
  refusals: [refused.noToken, refused.noAccount, refused.hiddenAccount],
  handler: ({ caller }, { db, public_url }) => getBranding(db, caller, public_url),
})

export const updateBrandingRoute = route({
  method: 'PATCH',
  url: '/v1/account/branding',
  access,
  bodyLimit: body_max_bytes.branding,
  schema: {
    tags,
    operationId: 'updateBranding',
    summary: 'Change the branding of your account',
    description:
      'Changes the fields sent; null removes a value. Pages and emails show the change at once, ' +
      'also for payment requests that were created before. Every change is in the audit log.',
    body: strictObject(brandingInput),
  },
  success,
  refusals: [refused.badFields, ...notPermitted, refused.closedAccount],
  handler: ({ caller, body }, context) => updateBranding(context, caller, body),
})

export const setLogoRoute = route({
  method: 'POST',
  url: '/v1/account/logo',
  access,
  bodyLimit: body_max_bytes.logo,
  schema: {
    tags,
    operationId: 'setLogo',
    summary: 'Upload the logo of your account',
    description:
      'Replaces the logo. PNG, JPEG or WebP, at most 64 KiB and 1024 × 1024 pixels, not ' +
      'animated. Its public URL is in logo_url.',
    body: strictObject({
      image: Type.String({
        format: 'line',
        minLength: 1,
        maxLength: 131_072,
        description: 'The file in base64 (RFC 4648), with padding.',
        examples: ['iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6k'],
      }),
    }),
  },
  success,
  refusals: [
    ['invalid_request', 'The image is malformed, too large or of another type.'],
    ...notPermitted,
    refused.closedAccount,
  ],
  handler: ({ caller, body }, context) => setLogo(context, caller, body.image),
})

export const deleteLogoRoute = route({
  method: 'DELETE',
  url: '/v1/account/logo',
  access,
  schema: {
    tags,
    operationId: 'deleteLogo',
    summary: 'Delete the logo of your account',
    description:
      'Deletes the logo and earlier ones. Emails that were sent before show the name instead.',
    body: withoutBody,
  },
  success,
  refusals: [refused.bodyNotEmpty, ...notPermitted, refused.closedAccount],
  handler: ({ caller }, context) => deleteLogo(context, caller),
})

// The hash is part of the URL, so its content never changes. Mail clients and their proxies load it
// from other origins. Opened as a page, it can neither run nor load anything.
const logoHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

export const logoRoute = page({
  method: 'GET',
  url: '/brand/:account_id/:hash',
  access: { token: 'never' },
  quiet: true,
  schema: { params: Type.Object({ account_id: Type.String(), hash: Type.String() }) },
  handler: async (request, { db }, reply) => {
    const { params } = request
    const account_id = findUuid('account', params.account_id)
    const is_hash = /^[0-9a-f]{32}$/.test(params.hash)
    const logo = account_id && is_hash ? await findLogo(db, account_id, params.hash) : undefined
    if (logo === undefined) throw new HttpFault(404, 'This logo does not exist.')
    return sendBytes(request, reply.headers(logoHeaders).type(logo.type), logo.bytes)
  },
})

export const brandingRoutes = [
  getBrandingRoute,
  updateBrandingRoute,
  setLogoRoute,
  deleteLogoRoute,
  logoRoute,
]
