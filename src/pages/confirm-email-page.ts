// The page behind the link that confirms an account's new email, in each of its states.

import { html, type Markup } from '../primitives/markup.ts'
import { florin, layout } from './layout.ts'

interface Wanted {
  sandbox: boolean
  account_name: string
  email: string
}

export function confirmEmailPage({ sandbox, account_name, email }: Wanted): Markup {
  return layout({
    title: 'Confirm your new email',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>Confirm your new email</h1>
<p class="lead">Someone asked to make this address the email of ${account_name}. Until you confirm,
the old one stays.</p>
<dl class="facts">
<div><dt>Account</dt><dd>${account_name}</dd></div>
<div><dt>New email</dt><dd>${email}</dd></div>
<div><dt>This link</dt><dd>works once, for 24 hours</dd></div>
</dl>
</section>
<form class="card" method="post" aria-labelledby="what">
<h2 id="what">What confirming does</h2>
<ul class="steps">
<li><p><b>The owner logs in with the new email</b></p>
<p>The password stays as it is, and so do open sessions.</p></li>
<li><p><b>The old address is told</b></p>
<p>It cannot be used to log in any more.</p></li>
<li><button class="primary">Confirm email</button></li>
</ul>
<p class="safe">You did not ask for this? Close this page. Nothing changes.</p>
</form>`,
  })
}

export function confirmedEmailPage({ sandbox, account_name, email }: Wanted): Markup {
  return layout({
    title: 'The email has changed',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>The email has changed</h1>
<p class="lead">The owner of ${account_name} now logs in with this address. The link has done its
work and opens nothing any more.</p>
<dl class="facts">
<div><dt>Account</dt><dd>${account_name}</dd></div>
<div><dt>Email</dt><dd>${email}</dd></div>
</dl>
</section>
${next([
  ['Log in with the new email', 'The password is the same, and open sessions go on.'],
  ['Look into the old inbox', 'A letter there says that the email has changed.'],
])}`,
  })
}

export function deadEmailLinkPage({ sandbox }: { sandbox: boolean }): Markup {
  return layout({
    title: 'This link does not work',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>This link does not work</h1>
<p class="lead">It has been used, it is older than 24 hours, a newer one was sent, or the password
has changed since.</p>
</section>
${next([
  ['You have confirmed before', 'The email has changed. Log in with the new one.'],
  ['You have not', 'The account keeps its old email. Ask for the change once more.'],
])}`,
  })
}

export function takenEmailPage({ sandbox }: { sandbox: boolean }): Markup {
  return layout({
    title: 'This email is taken',
    sandbox,
    columns: 2,
    content: html`<section>
${florin()}
<h1>This email is taken</h1>
<p class="lead">Since the change was asked for, a user with this email has come. Nothing has
changed: the account keeps its old email.</p>
</section>
${next([
  ['That user is you', 'Delete it, then open the link again.'],
  ['It is someone else', 'Ask for the change to another address.'],
])}`,
  })
}

function next(steps: [title: string, words: string][]): Markup {
  return html`<section class="card" aria-labelledby="next">
<h2 id="next">What to do next</h2>
<ul class="steps">
${steps.map(([title, words]) => html`<li><p><b>${title}</b></p><p>${words}</p></li>`)}
</ul>
</section>`
}
