// The setup page. Creates the first admin, once, for the holder of the link, and signs them in.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { createAdminByLink, isSetupLink } from '../../identity/users/create-admin.ts'
import { readSetupForm, type SetupForm } from '../../pages/read-setup-form.ts'
import { invalidLinkPage, setupFormPage } from '../../pages/setup-page.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { refuseCrossSite } from '../cross-site.ts'
import { enterDashboard } from '../enter-dashboard.ts'
import { hashingClientOf } from '../hashing-client.ts'
import { body_max_bytes } from '../json-body.ts'
import { page } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { sendPage } from '../send-page.ts'

const params = Type.Object({ token: Type.String() })
const form = {
  url: '/setup/:token',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never', form: true },
  schema: { params },
} as const

export const setupPageRoute = page({
  ...form,
  method: 'GET',
  handler: async ({ params }, { db, sandbox, passwords }, reply) => {
    if (!(await isSetupLink(db, params.token))) return sendInvalidLink(reply, sandbox)
    return sendPage(reply, 200, setupFormPage({ sandbox, password_min: passwords.length_min }))
  },
})

export const submitSetupRoute = page({
  ...form,
  method: 'POST',
  beforeBody: refuseCrossSite,
  handler: async (request, context, reply) => {
    const { db, sandbox, passwords } = context
    if (!(await isSetupLink(db, request.params.token))) return sendInvalidLink(reply, sandbox)
    return createAdmin(context, request, reply, readSetupForm(request.body, passwords))
  },
})

export const setupRoutes = [setupPageRoute, submitSetupRoute]

async function createAdmin(
  context: RouteContext,
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
  form: SetupForm,
): Promise<FastifyReply> {
  const { db, passwords, sandbox } = context
  const showAgain = (faults: SetupForm['faults']) => {
    const shown = { sandbox, password_min: passwords.length_min, values: form.values, faults }
    return sendPage(reply, 400, setupFormPage(shown))
  }
  if (Object.keys(form.faults).length > 0) return showAgain(form.faults)
  try {
    await createAdminByLink(
      db,
      request.id,
      request.params.token,
      form.admin,
      passwords,
      hashingClientOf(request, reply),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return sendInvalidLink(reply, sandbox)
    if (error.code === 'email_exists') return showAgain({ email: taken })
    throw error
  }
  return enterDashboard(context, request, reply, form.admin)
}

const taken =
  'A user with this email already exists and cannot become an admin. Enter another email.'

function sendInvalidLink(reply: FastifyReply, sandbox: boolean): FastifyReply {
  return sendPage(reply, 404, invalidLinkPage({ sandbox }))
}
