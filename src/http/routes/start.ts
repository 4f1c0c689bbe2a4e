// The start page at /: where browsers arrive first.

import { findSetupState } from '../../identity/users/create-admin.ts'
import { startPage } from '../../pages/start-page.ts'
import { page } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { prefersHtml, sendPage } from '../send-page.ts'
import { requireReady } from './health.ts'

/** Programs get a list of the addresses that they may look for. */
export const startRoute = page({
  method: 'GET',
  url: '/',
  access: { token: 'never' },
  handler: async (request, context, reply) => {
    reply.header('vary', 'accept')
    if (!prefersHtml(request.headers.accept)) return addressesOf(context)
    const { db, sandbox, signup_open } = context
    const is_ready = await isReady(context)
    const setup = is_ready ? await findSetupState(db) : 'done'
    const status = is_ready ? 200 : 503
    return sendPage(reply, status, startPage({ sandbox, signup_open, is_ready, setup }))
  },
})

export const startRoutes = [startRoute]

function addressesOf({ public_url }: RouteContext) {
  return {
    openapi_url: `${public_url}/openapi.json`,
    docs_url: `${public_url}/docs`,
    dashboard_url: `${public_url}/dashboard`,
    readiness_url: `${public_url}/readyz`,
  }
}

/** The reason is in the response of /readyz, which operators watch. */
async function isReady(context: RouteContext): Promise<boolean> {
  return requireReady(context).then(
    () => true,
    () => false,
  )
}
