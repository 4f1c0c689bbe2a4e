// The pages behind one-time links: verification of an email address and password reset. They are
// for people who work with Florin, and in English.

import { html, type Markup, type Part } from '../primitives/markup.ts'
import { field } from './field.ts'
import { florin, layout } from './layout.ts'

interface LinkPage {
  sandbox: boolean
  heading: string
  lead: string
  facts?: [name: string, value: string][]
  has_fault?: boolean
  right: Part
}

/** What the page is about on the left, a form or the next steps on the right. */
export function linkPage({ sandbox, heading, lead, facts, has_fault, right }: LinkPage): Markup {
  return layout({
    title: `${has_fault ? 'Error: ' : ''}${heading}`,
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>${heading}</h1>
<p class="lead">${lead}</p>
${
  facts &&
  html`<dl class="facts">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>`
}
</section>
${right}`,
  })
}

interface NextStep {
  title: string
  text: Part
}

export function nextSteps(steps: NextStep[]): Markup {
  return html`<section class="card" aria-labelledby="next">
<h2 id="next">What to do next</h2>
<ul class="steps">
${steps.map(({ title, text }) => html`<li><p><b>${title}</b></p><p>${text}</p></li>`)}
</ul>
</section>`
}

export const log_in_step: NextStep = {
  title: 'Log in',
  text: html`Log in to the <a href="/dashboard">dashboard</a> with your email and password.`,
}

/** For password managers, which store the new password with this address. */
export function usernameField(email: string): Markup {
  return html`<input type="hidden" name="username" autocomplete="username" value="${email}">`
}

interface VerifyPage {
  sandbox: boolean
  email: string
  fault?: string
}

export function verifyEmailPage({ sandbox, email, fault }: VerifyPage): Markup {
  return linkPage({
    sandbox,
    heading: 'Confirm your email address',
    lead: 'Enter the password that you chose when you signed up. Then you are logged in.',
    facts: [
      ['Email', email],
      ['This link', 'works once, for 24 hours after sign-up'],
    ],
    has_fault: fault !== undefined,
    right: html`<form class="card" method="post" novalidate aria-labelledby="what">
<h2 id="what">Log in</h2>
${usernameField(email)}
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  required: true,
  fault,
  focused: fault !== undefined,
})}
<button class="primary">Confirm and log in</button>
<p class="safe">Forgot it? <a href="/reset">Reset the password</a>, which also confirms the
address. Didn't sign up? Close this page. Nothing will change.</p>
</form>`,
  })
}

export function invalidVerificationPage({ sandbox }: { sandbox: boolean }): Markup {
  return linkPage({
    sandbox,
    heading: 'This link does not work',
    lead: 'It was already used, the sign-up is more than 24 hours old, or it was deleted.',
    right: nextSteps([
      { ...log_in_step, title: 'If you already confirmed' },
      {
        title: 'If you have not confirmed yet',
        text: 'Sign up again. With an open sign-up you receive another link.',
      },
    ]),
  })
}

interface ResetRequestPage {
  sandbox: boolean
  email?: string
  fault?: string | undefined
}

export function resetRequestPage({ sandbox, email, fault }: ResetRequestPage): Markup {
  return linkPage({
    sandbox,
    heading: 'Reset your password',
    lead: 'Enter the email address that you log in with. You receive a link to set a new password.',
    has_fault: fault !== undefined,
    right: html`<form class="card" method="post" novalidate aria-labelledby="what">
<h2 id="what">Request a link</h2>
${field({
  name: 'email',
  label: 'Email',
  type: 'email',
  autocomplete: 'username',
  required: true,
  value: email,
  fault,
  focused: fault !== undefined,
})}
<button class="primary">Send link</button>
<p class="safe"><a href="/dashboard">Back to login</a></p>
</form>`,
  })
}

interface ResetRequestedPage {
  sandbox: boolean
  /** Whether a mail server is configured. */
  sends_email: boolean
}

/** The same page for every address, so that it does not reveal which ones exist. */
export function resetRequestedPage({ sandbox, sends_email }: ResetRequestedPage): Markup {
  return linkPage({
    sandbox,
    heading: 'Check your email',
    lead: 'If a user with this email address exists, a link to set a new password is on its way.',
    facts: [['The link', 'works once, for one hour']],
    right: nextSteps([
      sends_email
        ? {
            title: 'No email after a few minutes?',
            text: html`Check the spam folder and the spelling of the address, then
<a href="/reset">request another link</a>.`,
          }
        : {
            title: 'This installation sends no email',
            text: html`Ask an admin for the link. Admins create one with
<code>florin admin reset-link</code>.`,
          },
      log_in_step,
    ]),
  })
}

interface ResetPage {
  sandbox: boolean
  email: string
  password_min: number
  fault?: string
}

export function resetPage({ sandbox, email, password_min, fault }: ResetPage): Markup {
  return linkPage({
    sandbox,
    heading: 'Set a new password',
    lead: 'All of your sessions end. API keys keep working, and so does two-factor authentication.',
    facts: [
      ['Email', email],
      ['This link', 'works once, for one hour'],
    ],
    has_fault: fault !== undefined,
    right: html`<form class="card" method="post" novalidate aria-labelledby="what">
<h2 id="what">New password</h2>
${usernameField(email)}
${newPasswordField(password_min, fault)}
<button class="primary">Set password</button>
<p class="safe">Didn't request this? Close this page. Nothing will change.</p>
</form>`,
  })
}

export function newPasswordField(
  password_min: number,
  fault: string | undefined,
  is_first = true,
): Markup {
  return field({
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'new-password',
    required: true,
    hint: `At least ${password_min} characters. Longer is better.`,
    fault,
    focused: is_first && fault !== undefined,
  })
}

export function resetDonePage({ sandbox }: { sandbox: boolean }): Markup {
  return linkPage({
    sandbox,
    heading: 'Your password has changed',
    lead: 'All of your sessions have ended. This link has been used and no longer works.',
    right: nextSteps([
      log_in_step,
      { title: 'Check your inbox', text: 'An email confirms that the password was changed.' },
    ]),
  })
}

export function invalidResetPage({ sandbox }: { sandbox: boolean }): Markup {
  return linkPage({
    sandbox,
    heading: 'This link does not work',
    lead: 'It was already used, it is more than an hour old, or the password has changed since.',
    right: nextSteps([
      {
        title: 'Request another link',
        text: html`<a href="/reset">Enter your email address</a> again.`,
      },
      { ...log_in_step, title: 'If you know the password' },
    ]),
  })
}
