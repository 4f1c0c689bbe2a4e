// The sign-up page. It opens an account as POST /v1/accounts without a token does.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { defaultSettings } from '../../accounts/account.ts'
import { openAccount } from '../../accounts/open-account.ts'
import { notifyOfSignUp } from '../../identity/one-time-links/verify-email.ts'
import { hashPassword } from '../../identity/users/password.ts'
import { readSignUpForm, type SignUpForm } from '../../pages/read-sign-up-form.ts'
import { checkEmailPage, closedSignUpPage, signUpPage } from '../../pages/sign-up-page.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { ownOrigin, requireOwnForm } from '../cross-site.ts'
import { enterDashboard } from '../enter-dashboard.ts'
import { hashingClientOf } from '../hashing-client.ts'
import { body_max_bytes } from '../json-body.ts'
import { page } from '../route.ts'
import type { RouteContext } from '../route-context.ts'
import { sendPage, sendScriptedPage } from '../send-page.ts'

const form = {
  url: '/signup',
  bodyLimit: body_max_bytes.login,
  access: { token: 'never', form: true },
} as const

export const signUpPageRoute = page({
  ...form,
  method: 'GET',
  handler: (_, context, reply) => {
    if (!context.signup_open) return sendClosed(context, reply)
    return sendForm(context, reply, 200)
  },
})

export const submitSignUpRoute = page({
  ...form,
  method: 'POST',
  beforeBody: (request, { public_url }) => requireOwnForm(request, public_url),
  handler: (request, context, reply) => {
    if (!context.signup_open) return sendClosed(context, reply)
    const language = request.headers['accept-language']
    const submitted = readSignUpForm(request.body, language, context.passwords)
    if (Object.keys(submitted.faults).length > 0) return sendForm(context, reply, 400, submitted)
    // Counted here and not in openAccount, which counts only emails that are not in use.
    context.countSignUp(request)
    if (context.sandbox) return signUpAtOnce(context, request, reply, submitted)
    return signUpByEmail(context, request, reply, submitted)
  },
})

export const signUpRoutes = [signUpPageRoute, submitSignUpRoute]

/** Sandbox: the account is active, and its owner is signed in. */
async function signUpAtOnce(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  submitted: SignUpForm,
): Promise<FastifyReply> {
  const is_new = await openNewAccount(context, request, reply, submitted)
  if (!is_new) return sendForm(context, reply, 400, { ...submitted, faults: { email: taken } })
  return enterDashboard(context, request, reply, submitted.account)
}

const taken = 'A user with this email already exists. Log in, or enter another email.'

/**
 * Live: the response must not reveal whether the email is in use. So the page is the same, an email
 * is sent in both cases, and the password, which takes most of the time, is hashed in both cases.
 */
async function signUpByEmail(
  context: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  submitted: SignUpForm,
): Promise<FastifyReply> {
  const { email, password, settings } = submitted.account
  const is_new = await openNewAccount(context, request, reply, submitted)
  if (!is_new) {
    await hashPassword(password, hashingClientOf(request, reply))
    await notifyOfSignUp(context.db, email, context.public_url, { ...defaultSettings, ...settings })
  }
  return sendPage(reply, 200, checkEmailPage({ sandbox: context.sandbox, email }))
}

/** Returns false if the email is in use. */
async function openNewAccount(
  { db, passwords, sign_up_policy: policy }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { account }: SignUpForm,
): Promise<boolean> {
  const client = hashingClientOf(request, reply)
  const opener = { caller: undefined, request_id: request.id, client, count: () => {}, policy }
  try {
    await openAccount(db, opener, account, passwords)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'email_exists') return false
    throw error
  }
}

function sendForm(
  { sandbox, passwords }: RouteContext,
  reply: FastifyReply,
  status: number,
  submitted?: SignUpForm,
): FastifyReply {
  const shown = { sandbox, password_min: passwords.length_min, ...submitted }
  return sendScriptedPage(reply.headers(ownOrigin), status, signUpPage(shown))
}

function sendClosed({ sandbox }: RouteContext, reply: FastifyReply): FastifyReply {
  return sendPage(reply, 403, closedSignUpPage({ sandbox }))
}
