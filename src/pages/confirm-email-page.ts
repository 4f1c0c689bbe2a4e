// The page behind the link that confirms an account's new email, in each of its states.

import { html, type Markup } from './html.ts'
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
<li><p><b>The owner logs in with ${email}</b></p>
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
    columns: 1,
    content: html`<section>
${florin()}
<h1>The email has changed</h1>
<p class="lead">The owner of ${account_name} now logs in with this address. The password is the
same, and the old address has been told.</p>
<dl class="facts">
<div><dt>Account</dt><dd>${account_name}</dd></div>
<div><dt>Email</dt><dd>${email}</dd></div>
</dl>
</section>`,
  })
}

export function deadEmailLinkPage({ sandbox }: { sandbox: boolean }): Markup {
  return layout({
    title: 'This link does not work',
    sandbox,
    columns: 1,
    content: html`<section>
${florin()}
<h1>This link does not work</h1>
<p class="lead">It has been used, it is older than 24 hours, a newer one was sent, or the password
has changed since.</p>
<dl class="facts">
<div><dt>The email has changed already</dt><dd>Log in with the new one.</dd></div>
<div><dt>It has not</dt><dd>Ask for the change once more.</dd></div>
</dl>
</section>`,
  })
}

export function takenEmailPage({ sandbox }: { sandbox: boolean }): Markup {
  return layout({
    title: 'This email is taken',
    sandbox,
    columns: 1,
    content: html`<section>
${florin()}
<h1>This email is taken</h1>
<p class="lead">Since the change was asked for, someone else has begun to use this address with
Florin. Nothing has changed: the account keeps its old email.</p>
<dl class="facts">
<div><dt>The other user is you</dt><dd>Delete that user, then open the link again.</dd></div>
<div><dt>It is not</dt><dd>Ask for another address.</dd></div>
</dl>
</section>`,
  })
}
