// The pages behind one-time links: verification of an email address, password reset, invitation.
// They are for people who work with Florin, and in English.

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
function page({ sandbox, heading, lead, facts, has_fault, right }: LinkPage): Markup {
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

function next(steps: NextStep[]): Markup {
  return html`<section class="card" aria-labelledby="next">
<h2 id="next">What to do next</h2>
<ul class="steps">
${steps.map(({ title, text }) => html`<li><p><b>${title}</b></p><p>${text}</p></li>`)}
</ul>
</section>`
}

const log_in: NextStep = {
  title: 'Log in',
  text: html`Log in to the <a href="/dashboard">dashboard</a> with your email and password.`,
}

/** For password managers, which store the new password with this address. */
function username(email: string): Markup {
  return html`<input type="hidden" name="username" autocomplete="username" value="${email}">`
}

interface VerifyPage {
  sandbox: boolean
  email: string
  fault?: string
}

export function verifyEmailPage({ sandbox, email, fault }: VerifyPage): Markup {
  return page({
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
${username(email)}
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
  return page({
    sandbox,
    heading: 'This link does not work',
    lead: 'It was already used, the sign-up is more than 24 hours old, or it was deleted.',
    right: next([
      { ...log_in, title: 'If you already confirmed' },
      {
        title: 'If you have not confirmed yet',
        text: 'Sign up again. With an open sign-up you receive another link.',
      },
    ]),
  })
}
