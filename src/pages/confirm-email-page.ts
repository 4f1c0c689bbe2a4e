// The page behind the link that confirms an account's new email, in each of its states.

import { html, type Markup, type Part } from '../primitives/markup.ts'
import type { Step } from './email-words/email-words-shape.ts'
import { emailWords } from './email-words.ts'
import { florin, layout } from './layout.ts'
import { isolate } from './payment-frame.ts'
import { chooseTongue } from './payment-words.ts'

interface Reader {
  sandbox: boolean
  /** The account's BCP 47 tag, or what the browser asks for where no account is known. */
  language: string | undefined
}

interface Wanted extends Reader {
  account_name: string
  email: string
}

export function confirmEmailPage(wanted: Wanted): Markup {
  const { account_name, email } = wanted
  const words = wordsFor(wanted)
  const { heading, lead, what, steps, button, safe } = words.confirm
  return page(wanted, {
    heading,
    lead: lead(isolate(account_name)),
    facts: [
      [words.account, account_name],
      [words.new_email, email],
      [words.this_link, words.link_lifetime],
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

export function confirmedEmailPage(wanted: Wanted): Markup {
  const { account_name, email } = wanted
  const words = wordsFor(wanted)
  const { heading, lead, steps } = words.confirmed
  return page(wanted, {
    heading,
    lead: lead(isolate(account_name)),
    facts: [
      [words.account, account_name],
      [words.email, email],
    ],
    right: next(words.next, steps),
  })
}

export function deadEmailLinkPage(reader: Reader): Markup {
  const words = wordsFor(reader)
  const { heading, lead, steps } = words.dead
  return page(reader, { heading, lead, right: next(words.next, steps) })
}

export function takenEmailPage(reader: Reader): Markup {
  const words = wordsFor(reader)
  const { heading, lead, steps } = words.taken
  return page(reader, { heading, lead, right: next(words.next, steps) })
}

function wordsFor({ language }: Reader) {
  return emailWords[chooseTongue(language).lang]
}

interface Columns {
  heading: string
  lead: string
  facts?: [name: string, value: string][]
  right: Part
}

function page({ sandbox, language }: Reader, { heading, lead, facts, right }: Columns): Markup {
  return layout({
    tongue: chooseTongue(language),
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

function next(heading: string, steps: readonly Step[]): Markup {
  return html`<section class="card" aria-labelledby="next">
<h2 id="next">${heading}</h2>
<ul class="steps">
${steps.map(step)}
</ul>
</section>`
}

function step([title, words]: Step): Markup {
  return html`<li><p><b>${title}</b></p><p>${words}</p></li>`
}
