// User input never runs as a script on the payment page (XSS).

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { PaymentView } from '../../src/pages/payment-view.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { servePaymentPages } from '../support/payment-server.ts'
import { paymentViews } from '../support/payment-views.ts'

const server = await servePaymentPages()
after(() => server.close())

const run = 'window.ran=1'
const scripts = [
  `<script>${run}</script>`,
  `<SCRIPT SRC=/x.js></SCRIPT>`,
  `"><script>${run}</script>`,
  `'><script>${run}</script>`,
  `</title><script>${run}</script>`,
  `</textarea><script>${run}</script>`,
  `</noscript><script>${run}</script>`,
  `</style><script>${run}</script>`,
  `--><script>${run}</script>`,
  `]]><script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `<img src=x onerror="${run}">`,
  `"onfocus="${run}" autofocus="`,
  `' onfocus='${run}' autofocus='`,
  `" onmouseover="${run}" style="position:fixed;inset:0"`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
  `<math><mtext><script>${run}</script></mtext></math>`,
  `<body onload=${run}>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<iframe src="javascript:parent.ran=1"></iframe>`,
  `<object data="javascript:${run}"></object>`,
  `<embed src="javascript:${run}">`,
  `<a href="javascript:${run}" autofocus>pay</a>`,
  `<form action="javascript:${run}"><button autofocus>pay</button></form>`,
  `<input autofocus onfocus=${run}>`,
  `<details open ontoggle=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<audio src=x onerror=${run}>`,
  `<meta http-equiv="refresh" content="0; url=javascript:${run}">`,
  `<base href="https://evil.example/">`,
  `<link rel=stylesheet href="data:text/css,body{display:none}">`,
  `<style>@import 'https://evil.example/x.css'</style>`,
  `<template><script>${run}</script></template>`,
  `\${${run}}`,
  `{{constructor.constructor('${run}')()}}`,
  `javascript:${run}`,
  `&lt;script&gt;${run}&lt;/script&gt;`,
  `\u003cscript>${run}</script>\u2028\ufeff`,
]

test('no injected script runs in any field of any state', { skip: no_browser }, async () => {
  assert.equal(scripts.length, 40)
  const page = await openPage()
  const observed: string[] = []
  page.on('dialog', (dialog) => {
    observed.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('console', (message) => observed.push(message.text()))
  page.on('pageerror', (error) => observed.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) observed.push(request.url())
  })
  for (const [at, text] of scripts.entries()) {
    for (const view of viewsWith(text, at)) {
      server.show('/pay/scripts', view)
      await page.goto(`${server.url}/pay/scripts`)
      await eventually(() => page.evaluate('window.ran'), undefined, `${text} in ${view.state}`)
      const body = await page.locator('body').innerText()
      if (!nameless.has(view.state)) assert.ok(body.includes(text.slice(0, 9)), text)
    }
  }
  // Chromium logs to the console when the content security policy blocks something.
  assert.deepEqual(observed, [])
})

const nameless = new Set(['not_found', 'away'])

/** The form with each text, and one other state per text, half of them the instructions. */
function viewsWith(text: string, at: number): PaymentView[] {
  const fields = {
    account_name: text,
    reference: text,
    customer_email: text,
    contact_email: text,
    instructions: text,
    transfer_reference: text,
    form_token: text,
    transaction_id: text,
    card: text,
  }
  const names = [...paymentViews.keys()]
  const other = at % 2 === 0 ? 'manual' : names[at % names.length]!
  const chosen = new Set(['form', other])
  return [...chosen].map((name) => ({ ...paymentViews.get(name)!, ...fields }) as PaymentView)
}
