// The setup page. Creates the first admin, once, for the holder of the link.

import formbody from '@fastify/formbody'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { createAdminByLink, isSetupLink } from '../../identity/users/create-admin.ts'
import type { PasswordPolicy } from '../../identity/users/password-policy.ts'
import { readSetupForm, type SetupForm } from '../../pages/read-setup-form.ts'
import { invalidLinkPage, setupDonePage, setupFormPage } from '../../pages/setup-page.ts'
import type { Db } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { refuseCrossSite } from '../cross-site.ts'
import { hashingClientOf } from '../hashing-client.ts'
import { body_max_bytes } from '../json-body.ts'
import { parseForm } from '../query-string.ts'
import { sendPage } from '../send-page.ts'

export interface SetupParts {
  db: Db
  passwords: PasswordPolicy
  sandbox: boolean
  public_url: string
}

interface Link {
  Params: { token: string }
}

const options = {
  bodyLimit: body_max_bytes.login,
  config: { access: { token: 'never', form: true } },
  schema: { hide: true },
} as const

export function setupRoutes(parts: SetupParts): FastifyPluginAsync {
  const { db, sandbox, passwords } = parts
  const { length_min: password_min } = passwords
  return async (app) => {
    app.addHook('onRequest', refuseCrossSite)
    await app.register(formbody, { parser: parseForm })

    app.get<Link>('/setup/:token', options, async (request, reply) => {
      if (!(await isSetupLink(db, request.params.token))) return sendInvalidLink(reply, sandbox)
      return sendPage(reply, 200, setupFormPage({ sandbox, password_min }))
    })

    app.post<Link>('/setup/:token', options, async (request, reply) => {
      if (!(await isSetupLink(db, request.params.token))) return sendInvalidLink(reply, sandbox)
      const form = readSetupForm(request.body, passwords)
      return createAdmin(parts, request, reply, form)
    })
  }
}

async function createAdmin(
  parts: SetupParts,
  request: FastifyRequest<Link>,
  reply: FastifyReply,
  form: SetupForm,
): Promise<FastifyReply> {
  const { db, passwords, sandbox, public_url } = parts
  const showAgain = (faults: SetupForm['faults']) => {
    const page = { sandbox, password_min: passwords.length_min, values: form.values, faults }
    return sendPage(reply, 400, setupFormPage(page))
  }
  if (Object.keys(form.faults).length > 0) return showAgain(form.faults)
  try {
    const { email } = await createAdminByLink(
      db,
      request.id,
      request.params.token,
      form.admin,
      passwords,
      hashingClientOf(request, reply),
    )
    return sendPage(reply, 200, setupDonePage({ sandbox, email, public_url }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'not_found') return sendInvalidLink(reply, sandbox)
    if (error.code === 'email_exists') return showAgain({ email: taken })
    throw error
  }
}

const taken =
  'A user with this email already exists and cannot become an admin. Enter another email.'

function sendInvalidLink(reply: FastifyReply, sandbox: boolean): FastifyReply {
  return sendPage(reply, 404, invalidLinkPage({ sandbox }))
}
