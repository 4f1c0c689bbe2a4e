// The page behind the one-time link that creates the first admin, in each of its states.

import { html, type Markup } from '../primitives/markup.ts'
import { florin_command } from '../version.ts'
import { field } from './field.ts'
import { florin, layout } from './layout.ts'
import type { SetupFaults } from './read-setup-form.ts'

interface SetupFormPage {
  sandbox: boolean
  password_min: number
  values?: { email: string; name: string }
  faults?: SetupFaults
}

export function setupFormPage(options: SetupFormPage): Markup {
  const { sandbox, password_min, values, faults = {} } = options
  const first = (['email', 'name', 'password'] as const).find((name) => faults[name])
  return layout({
    title: `${first === undefined ? '' : 'Error: '}Create the first admin`,
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>Create the first admin</h1>
<p class="lead">An admin can view and change every user and account in this installation. There is
no admin yet.</p>
<dl class="facts">
<div><dt>This link</dt><dd>works once</dd></div>
<div><dt>Expires</dt><dd>one hour after it was printed</dd></div>
${modeFact(sandbox)}
</dl>
</section>
<form class="card" method="post" novalidate aria-labelledby="who">
<h2 id="who">Admin details</h2>
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
<p class="safe">${lock}Only a hash of the password is stored</p>
</form>`,
  })
}

function modeFact(sandbox: boolean): Markup {
  const text = sandbox ? 'Sandbox, no real money' : 'Live, real money'
  return html`<div><dt>Mode</dt><dd>${text}</dd></div>`
}

const lock = html`<svg width="14" height="14" viewBox="0 0 16 16" fill="none"
 stroke="currentColor" stroke-width="1.6" aria-hidden="true"><rect x="3" y="7" width="10"
 height="7" rx="1.6"/><path d="M5 7V5a3 3 0 0 1 6 0v2"/></svg>`

export function invalidLinkPage({ sandbox }: { sandbox: boolean }): Markup {
  return layout({
    title: 'This link does not work',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>This link does not work</h1>
<p class="lead">It was already used, it is more than an hour old, or a newer link was printed.</p>
</section>
<section class="card" aria-labelledby="next">
<h2 id="next">What to do next</h2>
<ul class="steps">
<li><p><b>If an admin already exists</b></p>
<p>Log in to the <a href="/dashboard">dashboard</a> as that admin.</p></li>
<li><p><b>If there is no admin yet</b></p>
<p>Print a new link: run this command in the Florin folder, or restart Florin.</p>
<pre tabindex="0"><code>${florin_command} status</code></pre></li>
</ul>
</section>`,
  })
}
