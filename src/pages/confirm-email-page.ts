// The page behind the link that confirms an account's new email address, in each of its states.

import { html, type Markup, type Part } from '../primitives/markup.ts'
import { localizationFor } from '../translations/localization.ts'
import type { ListItem } from '../translations/translations.ts'
import { florin, layout } from './layout.ts'
import { isolate } from './payment-frame.ts'

interface PageContext {
  sandbox: boolean
  /** The account's BCP 47 tag, or the browser's language when the account is unknown. */
  language: string | undefined
}

interface EmailChange extends PageContext {
  account_name: string
  email: string
}

export function confirmEmailPage(change: EmailChange): Markup {
  const { account_name, email } = change
  const { confirm_email_page: translations, labels } = localizationFor(change.language)
  const { heading, lead, what, steps, button, safe } = translations.confirm
  return page(change, {
    heading,
    lead: lead(isolate(account_name)),
    facts: [
      [labels.account, account_name],
      [labels.new_email, email],
      [translations.this_link, translations.link_lifetime],
    ],
    right: html`<form class="card" method="post" aria-labelledby="what">
<h2 id="what">${what}</h2>
<ul class="steps">
${steps.map(step)}
<li><button class="primary">${button}</button></li>
</ul>
<p class="safe">${safe}</p>
</form>`,
  })
}

export function confirmedEmailPage(change: EmailChange): Markup {
  const { account_name, email } = change
  const { confirm_email_page: translations, labels } = localizationFor(change.language)
  const { heading, lead, steps } = translations.confirmed
  return page(change, {
    heading,
    lead: lead(isolate(account_name)),
    facts: [
      [labels.account, account_name],
      [translations.email, email],
    ],
    right: next(translations.next, steps),
  })
}

export function invalidEmailLinkPage(context: PageContext): Markup {
  const { confirm_email_page: translations } = localizationFor(context.language)
  const { heading, lead, steps } = translations.invalid
  return page(context, { heading, lead, right: next(translations.next, steps) })
}

export function takenEmailPage(context: PageContext): Markup {
  const { confirm_email_page: translations } = localizationFor(context.language)
  const { heading, lead, steps } = translations.taken
  return page(context, { heading, lead, right: next(translations.next, steps) })
}

interface Columns {
  heading: string
  lead: string
  facts?: [name: string, value: string][]
  right: Part
}

function page(
  { sandbox, language }: PageContext,
  { heading, lead, facts, right }: Columns,
): Markup {
  return layout({
    localization: localizationFor(language),
    title: heading,
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

function next(heading: string, steps: readonly ListItem[]): Markup {
  return html`<section class="card" aria-labelledby="next">
<h2 id="next">${heading}</h2>
<ul class="steps">
${steps.map(step)}
</ul>
</section>`
}

function step([title, text]: ListItem): Markup {
  return html`<li><p><b>${title}</b></p><p>${text}</p></li>`
}
