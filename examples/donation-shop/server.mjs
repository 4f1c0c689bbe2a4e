// A donation shop. A donor chooses an amount and pays on Florin's payment page. The shop counts a
// donation when Florin's webhook arrives, not when the donor returns: anyone can open a URL.

import { randomUUID } from 'node:crypto'
import formbody from '@fastify/formbody'
import Fastify from 'fastify'
import { Florin, FlorinError, verifyWebhook } from 'florin-client'

const { FLORIN_URL, FLORIN_API_KEY, FLORIN_ACCOUNT, FLORIN_WEBHOOK_SECRET, SHOP_URL } = process.env

const florin = new Florin({ base_url: FLORIN_URL, api_key: FLORIN_API_KEY })

// By payment id, so that a webhook that arrives twice counts once. A real shop uses a database.
const donations = new Map()

const app = Fastify()
app.register(formbody)

app.get('/', (_, reply) => sendPage(reply, shopPage()))

app.post('/donations', async (request, reply) => {
  const { name, email, dollars, order } = request.body
  try {
    const payment = await florin.payments.create(
      {
        account_id: FLORIN_ACCOUNT,
        amount: Math.round(Number(dollars) * 100),
        currency: 'USD',
        customer_email: email,
        reference: 'Donation to Harbor Animal Shelter',
        metadata: { donor: name },
      },
      // Each form has its own order number. A double click requests one payment.
      { idempotency_key: `donation ${order}` },
    )
    await florin.payments.update(payment.id, {
      return_url: `${SHOP_URL}/thanks`,
      cancel_url: SHOP_URL,
    })
    return reply.redirect(payment.payment_url, 303)
  } catch (error) {
    // Florin's message names the field and the rule, so the donor can fix it.
    if (!(error instanceof FlorinError) || error.code !== 'invalid_request') throw error
    return sendPage(reply.code(400), shopPage(error.message))
  }
})

app.get('/thanks', async (request, reply) => {
  const { status } = await florin.payments.getStatus(request.query.payment_id)
  const text = status === 'succeeded' ? 'Thank you! The animals send their love.' : 'Not paid yet.'
  return sendPage(reply, `<h1>${text}</h1><p><a href="/">Back to the shelter</a></p>`)
})

// In a separate context, because the signature covers the raw body.
app.register(async (webhooks) => {
  webhooks.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, body),
  )
  webhooks.post('/webhooks', async (request, reply) => {
    let event
    try {
      event = await verifyWebhook(request.body, request.headers, FLORIN_WEBHOOK_SECRET)
    } catch (error) {
      return reply.code(400).send({ message: error.message })
    }
    if (event.type === 'payment.succeeded') {
      const { id, amount, metadata } = event.data
      donations.set(id, { donor: metadata.donor || 'A friend', amount })
    }
    return reply.code(204).send()
  })
})

function shopPage(problem = '') {
  const all = [...donations.values()]
  const total = all.reduce((sum, { amount }) => sum + amount, 0)
  const lines = all.map(({ donor, amount }) => `${escapeHtml(donor)} gave ${money(amount)}`)
  return `
    <h1>Harbor Animal Shelter</h1>
    <p>${all.length} donations, ${money(total)} so far.</p>
    <ul>${lines.map((line) => `<li>${line}</li>`).join('')}</ul>
    ${problem && `<p role="alert">${escapeHtml(problem)}</p>`}
    <form method="post" action="/donations">
      <input type="hidden" name="order" value="${randomUUID()}">
      <label>Your name <input name="name" autocomplete="name"></label>
      <label>Email <input name="email" type="email" autocomplete="email" required></label>
      <label>US dollars <input name="dollars" type="number" min="1" step="0.01" value="25"></label>
      <button>Donate</button>
    </form>`
}

function sendPage(reply, body) {
  const style = `
    body { font: 1.1rem/1.6 system-ui; max-width: 32rem; margin: 3rem auto; padding: 0 1rem }
    label { display: block }`
  const head = `<meta name="viewport" content="width=device-width"><style>${style}</style>`
  return reply
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><title>Donate</title>${head}<body>${body}</body></html>`)
}

const money = (cents) => `$${(cents / 100).toFixed(2)}`
const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (one) => `&#${one.codePointAt(0)};`)

await app.listen({ host: '127.0.0.1', port: Number(new URL(SHOP_URL).port || 80) })
console.log(`The shop is open at ${SHOP_URL}`)
