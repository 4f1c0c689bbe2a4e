// The start page at /: log in, create an account, read the docs, see whether the server is ready.

import { html, type Markup } from '../primitives/markup.ts'
import { florin_command } from '../version.ts'
import { florin, layout } from './layout.ts'

interface StartPage {
  sandbox: boolean
  signup_open: boolean
  is_ready: boolean
  /** Whether an admin exists, and if not, whether a setup link works. */
  setup: 'done' | 'link' | 'no_link'
}

export function startPage(options: StartPage): Markup {
  const { sandbox, signup_open, is_ready, setup } = options
  const admin = setup !== 'done' && firstAdmin(setup)
  return layout({
    title: 'Start',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>Request payments and see them arrive</h1>
<p class="lead">Florin sends your customers a payment page, and keeps the ledger of everything that
you are paid.</p>
<dl class="facts">
<div><dt>Status</dt><dd>${is_ready ? ready : not_ready}</dd></div>
<div><dt>Mode</dt><dd>${sandbox ? 'Sandbox, no real money' : 'Live, real money'}</dd></div>
</dl>
</section>
<div class="stack">
${signup_open ? [account(signup_open), admin] : [admin, account(signup_open)]}
<nav class="card" aria-labelledby="read">
<h2 id="read">For developers</h2>
<ul class="steps">
<li><p><a href="/docs">Docs</a></p>
<p>Guides, from the first payment to going live.</p></li>
<li><p><a href="/docs/api">API reference</a></p>
<p>Every operation, with its fields and errors.</p></li>
</ul>
</nav>
</div>`,
  })
}

function account(signup_open: boolean): Markup {
  return html`<section class="card" aria-labelledby="account">
<h2 id="account">Your account</h2>
<p class="actions"><a class="primary" href="/dashboard">Log in</a>
${signup_open && html`<a class="secondary" href="/signup">Create account</a>`}</p>
${!signup_open && html`<p class="hint">Sign-up is closed. Ask the operator for an account.</p>`}
</section>
`
}

// The words carry the meaning; the dot repeats it in color.
const ready = html`<span class="dot is-ready" aria-hidden="true"></span>Ready`
const not_ready = html`<span class="dot" aria-hidden="true"></span>Not ready, try again soon`

function firstAdmin(setup: 'link' | 'no_link'): Markup {
  const where =
    setup === 'link'
      ? html`<li><p><b>Open the setup link</b></p>
<p>Florin printed it when it started: in the terminal, or in the log as <code>setup_url</code> of
the line “florin is ready”. It works once, for one hour.</p></li>`
      : html`<li><p><b>Get a new setup link</b></p>
<p>The last one has expired. On the server, run this command in the Florin folder, or restart
Florin.</p>
<pre tabindex="0"><code>${florin_command} status</code></pre></li>`
  return html`<section class="card" aria-labelledby="admin">
<h2 id="admin">Create the first admin</h2>
<ul class="steps">
${where}
<li><p><b>Or create the admin on the server</b></p>
<p>Run this command in the Florin folder.</p>
<pre tabindex="0"><code>${florin_command} admin create</code></pre></li>
</ul>
</section>
`
}
