// The sign-up page in each of its states: the form, closed, and "check your email" in live mode.

import { html, type Markup } from '../primitives/markup.ts'
import { asset } from './asset.ts'
import { errorIcon, field } from './field.ts'
import { florin, layout } from './layout.ts'
import { type SignUpFaults, type SignUpValues, sign_up_fields } from './read-sign-up-form.ts'

export const signUpScript = asset('/signup.js', 'text/javascript; charset=utf-8', ['signup.js'])

interface SignUpPage {
  sandbox: boolean
  password_min: number
  values?: SignUpValues
  faults?: SignUpFaults
}

export function signUpPage(options: SignUpPage): Markup {
  const { sandbox, password_min, values, faults = {} } = options
  const first = sign_up_fields.find((name) => faults[name])
  return layout({
    title: `${first === undefined ? '' : 'Error: '}Create your account`,
    sandbox,
    columns: 2,
    script: signUpScript.url,
    content: html`<section>
${florin()}
<h1>Create your account</h1>
<p class="lead">Then send your first payment request: your customer gets a payment page, and you see
when they have paid.</p>
<dl class="facts">
<div><dt>Mode</dt><dd>${sandbox ? 'Sandbox, no real money' : 'Live, real money'}</dd></div>
<div><dt>You become</dt><dd>the owner of the account</dd></div>
</dl>
</section>
<form class="card" method="post" novalidate aria-labelledby="who">
<h2 id="who">Account details</h2>
${field({
  name: 'name',
  label: 'Business or personal name',
  type: 'text',
  autocomplete: 'organization',
  required: true,
  value: values?.name,
  hint: 'Customers see it on payment pages and in emails.',
  fault: faults.name,
  focused: first === 'name',
})}
${typeChoice(values?.type ?? 'business', faults.type)}
${field({
  name: 'email',
  label: 'Email',
  type: 'email',
  autocomplete: 'username',
  required: true,
  value: values?.email,
  fault: faults.email,
  focused: first === 'email',
})}
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  required: true,
  hint: `At least ${password_min} characters. Longer is better.`,
  fault: faults.password,
  focused: first === 'password',
})}
<input type="hidden" name="timezone" value="">
<button class="primary">Create account</button>
<p class="safe">Do you have an account? <a href="/dashboard">Log in</a></p>
</form>`,
  })
}

function typeChoice(chosen: string, fault: string | undefined): Markup {
  const choice = (value: string, label: string) => html`<label class="choice"><input type="radio"
 name="type" value="${value}"${value === chosen && html` checked`}>${label}</label>`
  return html`<fieldset${fault !== undefined && html` aria-describedby="type-note"`}>
<legend>Type</legend>
${choice('business', 'Business')}
${choice('individual', 'Individual')}
${fault !== undefined && html`<p class="fault" id="type-note">${errorIcon}${fault}</p>`}
</fieldset>`
}

export function closedSignUpPage({ sandbox }: { sandbox: boolean }): Markup {
  return layout({
    title: 'Sign-up is closed',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>Sign-up is closed</h1>
<p class="lead">On this server, an admin creates the accounts.</p>
</section>
<section class="card" aria-labelledby="next">
<h2 id="next">What to do next</h2>
<ul class="steps">
<li><p><b>If you have an account</b></p>
<p><a href="/dashboard">Log in</a> to the dashboard.</p></li>
<li><p><b>If you need an account</b></p>
<p>Ask the operator of this server to create one for your email address.</p></li>
<li><p><b>If you run this server</b></p>
<p>Log in as an admin and create the account, or set <code>FLORIN_SIGNUP=open</code> and restart
Florin.</p></li>
</ul>
</section>`,
  })
}

/** The same page for an email that is new and for one that is in use. */
export function checkEmailPage({ email, sandbox }: { email: string; sandbox: boolean }): Markup {
  return layout({
    title: 'Check your email',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>Check your email</h1>
<p class="lead">We sent a message to this address. Follow the link in it to continue.</p>
<dl class="facts">
<div><dt>Email</dt><dd>${email}</dd></div>
</dl>
</section>
<section class="card" aria-labelledby="next">
<h2 id="next">If no message arrives</h2>
<ul class="steps">
<li><p><b>Wait a minute</b></p><p>Then look in the spam folder too.</p></li>
<li><p><b>Check the address</b></p>
<p>If it has a typo, <a href="/signup">sign up</a> with the right one.</p></li>
<li><p><b>If you already have an account</b></p>
<p><a href="/dashboard">Log in</a>, or <a href="/reset">reset your password</a>.</p></li>
</ul>
</section>`,
  })
}
