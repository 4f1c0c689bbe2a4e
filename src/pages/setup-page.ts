// The page behind the one-time link that makes the first admin, in each of its states.

import { html, type Markup } from '../primitives/markup.ts'
import { field } from './field.ts'
import { florin, layout } from './layout.ts'
import type { SetupFaults } from './read-setup-form.ts'

export interface SetupFormPage {
  sandbox: boolean
  password_min: number
  values?: { email: string; name: string }
  faults?: SetupFaults
}

export function setupFormPage(given: SetupFormPage): Markup {
  const { sandbox, password_min, values, faults = {} } = given
  const first = (['email', 'name', 'password'] as const).find((name) => faults[name])
  return layout({
    title: `${first === undefined ? '' : 'Error: '}Create the first admin`,
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>Create the first admin</h1>
<p class="lead">An admin may see and change every user and account of this Florin. There is none
yet.</p>
<dl class="facts">
<div><dt>This link</dt><dd>works once</dd></div>
<div><dt>Until</dt><dd>one hour after it was printed</dd></div>
${modeFact(sandbox)}
</dl>
</section>
<form class="card" method="post" novalidate aria-labelledby="who">
<h2 id="who">Who is the admin?</h2>
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
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'name',
  required: false,
  value: values?.name,
  fault: faults.name,
  focused: first === 'name',
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
<button class="primary">Create admin</button>
<p class="safe">${lock}Florin keeps only a hash of the password</p>
</form>`,
  })
}

function modeFact(sandbox: boolean): Markup {
  const words = sandbox ? 'Sandbox, no real money' : 'Live, real money'
  return html`<div><dt>Mode</dt><dd>${words}</dd></div>`
}

const lock = html`<svg width="14" height="14" viewBox="0 0 16 16" fill="none"
 stroke="currentColor" stroke-width="1.6" aria-hidden="true"><rect x="3" y="7" width="10"
 height="7" rx="1.6"/><path d="M5 7V5a3 3 0 0 1 6 0v2"/></svg>`

export interface SetupDonePage {
  sandbox: boolean
  email: string
  /** Where the API is, for a command that works as it stands. */
  public_url: string
}

export function setupDonePage({ sandbox, email, public_url }: SetupDonePage): Markup {
  return layout({
    title: 'The admin is ready',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>The admin is ready</h1>
<p class="lead">Log in with this email and your password. The link has done its work and opens
nothing any more.</p>
<dl class="facts">
<div><dt>Email</dt><dd>${email}</dd></div>
<div><dt>Role</dt><dd>Admin</dd></div>
${modeFact(sandbox)}
</dl>
</section>
<section class="card" aria-labelledby="next">
<h2 id="next">What to do next</h2>
<ol class="steps">
<li><p><b>Look around</b></p>
<p>Sign in to the <a href="/dashboard">dashboard</a>.</p></li>
<li><p><b>Log in from a terminal</b></p>
<p>Run this, with your password in it.</p>
<pre tabindex="0"><code>${logInCommand(public_url, email)}</code></pre></li>
<li><p><b>Call the API</b></p>
<p>The response holds an <code>access_token</code>. The <a href="/docs">API reference</a> says what
it opens.</p></li>
<li><p><b>If the password does not work</b></p>
<p>Make another admin in Florin’s folder.</p>
<pre tabindex="0"><code>${create_admin_command}</code></pre></li>
</ol>
</section>`,
  })
}

const create_admin_command = 'npm run florin -- admin create'

function logInCommand(public_url: string, email: string): string {
  const body = `{\n    "email": ${JSON.stringify(email)},\n    "password": "YOUR PASSWORD"\n  }`
  return [
    `curl ${public_url}/v1/auth/login`,
    "-H 'Content-Type: application/json'",
    `-d ${quoteForShell(body)}`,
  ].join(' \\\n  ')
}

// An email may hold a quote, and a copied command must never run anything else.
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

export function invalidLinkPage({ sandbox }: { sandbox: boolean }): Markup {
  return layout({
    title: 'This link does not work',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>This link does not work</h1>
<p class="lead">It has been used, it is older than an hour, or a newer one was printed.</p>
</section>
<section class="card" aria-labelledby="next">
<h2 id="next">What to do next</h2>
<ul class="steps">
<li><p><b>There is an admin already</b></p>
<p>Log in as that admin. The <a href="/docs">API reference</a> says how.</p></li>
<li><p><b>There is none yet</b></p>
<p>Restart Florin in a terminal: it prints a new link. Or make the admin in Florin’s folder.</p>
<pre tabindex="0"><code>${create_admin_command}</code></pre></li>
</ul>
</section>`,
  })
}
