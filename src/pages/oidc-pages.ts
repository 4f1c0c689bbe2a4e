// Pages of a login with an OpenID Connect provider: the end of it, what went wrong, and the form
// that links the provider's identity to a user.

import { html, type Markup } from '../primitives/markup.ts'
import { field } from './field.ts'
import { florin, layout } from './layout.ts'

/** Why a login did not end in a session. */
export type OidcFault =
  | 'denied'
  | 'unreachable'
  | 'invalid'
  | 'expired'
  | 'unknown'
  | 'unverified'
  | 'inactive'
  | 'conflict'
  | 'cross_site'

interface FaultText {
  status: number
  heading: string
  lead(provider: string): string
  next: string
}

const again = 'Start again from the login page, or log in with your password.'

const faults: Record<OidcFault, FaultText> = {
  denied: {
    status: 400,
    heading: 'Login canceled',
    lead: (provider) => `You canceled the login at ${provider}.`,
    next: again,
  },
  unreachable: {
    status: 502,
    heading: 'Login is not available',
    lead: (provider) => `${provider} does not respond.`,
    next: 'Log in with your password, or try again in a few minutes.',
  },
  invalid: {
    status: 400,
    heading: 'Login failed',
    lead: (provider) => `The response of ${provider} could not be verified.`,
    next: again,
  },
  expired: {
    status: 400,
    heading: 'This login has expired',
    lead: () => 'A login must be completed in the same browser within ten minutes, once.',
    next: again,
  },
  unknown: {
    status: 403,
    heading: 'No user for this login',
    lead: (provider) => `No user of this service can log in with this ${provider} login.`,
    next: 'Ask the owner of the account for an invitation, or log in with your password.',
  },
  unverified: {
    status: 403,
    heading: 'Email not verified',
    lead: (provider) => `${provider} has not verified your email address.`,
    next: 'Verify it there and try again, or log in with your password.',
  },
  inactive: {
    status: 403,
    heading: 'You cannot log in',
    lead: () => 'Your user is not active.',
    next: 'Contact the owner of the account.',
  },
  conflict: {
    status: 409,
    heading: 'Not linked',
    lead: (provider) => `This ${provider} login cannot be linked to this user.`,
    next: 'It may belong to another user. Log in with your password.',
  },
  cross_site: {
    status: 403,
    heading: 'Start the login here',
    lead: () => 'The login was started from another site.',
    next: 'Open the login page and continue from there.',
  },
}

interface PageContext {
  sandbox: boolean
  /** The name of the provider. */
  provider: string
}

export function oidcFaultPage(
  { sandbox, provider }: PageContext,
  fault: OidcFault,
): { status: number; page: Markup } {
  const { status, heading, lead, next } = faults[fault]
  const content = html`<section>
${florin()}
<h1>${heading}</h1>
<p class="lead">${lead(provider)} ${next}</p>
<p><a href="/dashboard/login">Go to the login page</a></p>
</section>`
  return { status, page: layout({ title: heading, sandbox, columns: 1, content }) }
}

/** Shown for a moment, while the browser opens the dashboard. */
export function loggedInPage(sandbox: boolean, url: string): Markup {
  const content = html`<section>
${florin()}
<h1>You are logged in</h1>
<p class="lead">The dashboard opens in a moment.</p>
<p><a href="${url}">Open the dashboard</a></p>
</section>`
  return layout({ title: 'You are logged in', sandbox, columns: 1, content })
}

/** An error text per field. */
export interface LinkFaults {
  password?: string
  code?: string
}

interface LinkPage extends PageContext {
  email: string
  faults: LinkFaults
}

export function linkIdentityPage({ sandbox, provider, email, faults }: LinkPage): Markup {
  const heading = `Link your ${provider} login`
  const has_faults = Object.keys(faults).length > 0
  return layout({
    title: has_faults ? `Error: ${heading}` : heading,
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>${heading}</h1>
<p class="lead">A user with your email address exists. Enter the password of this user once. From
then on you log in with ${provider}.</p>
<dl class="facts">
<div><dt>Email</dt><dd>${email}</dd></div>
<div><dt>This page</dt><dd>works for ten minutes</dd></div>
</dl>
</section>
<form class="card" method="post" novalidate aria-labelledby="confirm">
<h2 id="confirm">Confirm that it is you</h2>
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  required: true,
  fault: faults.password,
  focused: true,
})}
${field({
  name: 'code',
  label: 'Code',
  type: 'text',
  autocomplete: 'one-time-code',
  required: false,
  hint: 'With two-factor authentication: of your authenticator app, or a recovery code.',
  fault: faults.code,
})}
<button class="primary">Link and log in</button>
<p class="safe">You can unlink it under Settings, Security</p>
</form>`,
  })
}
