// A monthly coffee box. Florin requests one payment per month. Each paid month ships one box, and a
// month that was not paid pauses the subscription.

import { randomUUID } from 'node:crypto'
import formbody from '@fastify/formbody'
import Fastify from 'fastify'
import { Florin, FlorinError, verifyWebhook } from 'florin-client'

const { FLORIN_URL, FLORIN_API_KEY, FLORIN_WEBHOOK_SECRET, SHOP_URL } = process.env

const florin = new Florin({ base_url: FLORIN_URL, api_key: FLORIN_API_KEY })

const boxes = {
  small: { title: 'Small box, 250 g', amount: 1900 },
  large: { title: 'Large box, 1 kg', amount: 4900 },
}

// A real shop uses a database. The secret link of each member leads to their subscription.
const members = new Map()
// By payment id, so that a webhook that arrives twice ships one box.
const shipments = new Map()

const app = Fastify()
app.register(formbody)

app.get('/', (_, reply) => sendPage(reply, joinPage()))

app.post('/members', async (request, reply) => {
  const { email, box, member } = request.body
  const { title, amount } = boxes[box] ?? boxes.small
  const subscription = await florin.subscriptions.create(
    {
      customer_email: email,
      amount,
      currency: 'USD',
      interval: 'month',
      reference: title,
      metadata: { box },
    },
    // A double click subscribes once.
    { idempotency_key: `member ${member}` },
  )
  members.set(member, subscription.id)
  return reply.redirect(`/members/${member}`, 303)
})

app.get('/members/:member', async (request, reply) => {
  const subscription = await florin.subscriptions.get(subscriptionOf(request))
  const payments = await florin.payments.list({ subscription: subscription.id })
  const customer = await findCustomer(subscription.customer_email)
  return sendPage(reply, memberPage(request.params.member, subscription, payments.data, customer))
})

app.post('/members/:member/:action', async (request, reply) => {
  const id = subscriptionOf(request)
  const { action, member } = request.params
  if (action === 'pause') await florin.subscriptions.update(id, { status: 'paused' })
  else if (action === 'resume') await florin.subscriptions.update(id, { status: 'active' })
  else if (action === 'cancel') await florin.subscriptions.cancel(id)
  return reply.redirect(`/members/${member}`, 303)
})

app.get('/warehouse', () => [...shipments.values()])

app.setErrorHandler((error, _, reply) => {
  // Florin's message names the field and the rule, so the member can fix it.
  const is_input = error instanceof FlorinError && error.code === 'invalid_request'
  if (is_input) return sendPage(reply.code(400), `<p role="alert">${escapeHtml(error.message)}</p>`)
  console.error(error)
  return reply.code(error.statusCode ?? 500).send({ message: 'Something went wrong.' })
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
    // If this fails, Florin gets a 500 and sends the webhook again.
    await handle(event)
    return reply.code(204).send()
  })
})

/** Safe to run twice for the same event. */
async function handle({ type, data: payment }) {
  // Florin adds these to the payment requests of a subscription.
  const { subscription: id, subscription_period } = payment.metadata
  if (id === undefined) return
  const { customer_email, reference } = payment
  if (type === 'payment.succeeded') {
    shipments.set(payment.id, { to: customer_email, box: reference, for: subscription_period })
    return
  }
  // The month was not paid within 30 days: no more boxes until the member resumes.
  const { status } = await florin.subscriptions.get(id)
  if (status === 'active') await florin.subscriptions.update(id, { status: 'paused' })
}

/** `email` finds all customers whose email starts with it. */
async function findCustomer(email) {
  const isSame = (other) => other.toLowerCase() === email.toLowerCase()
  for await (const customer of florin.customers.list({ email })) {
    if (isSame(customer.email)) return customer
  }
}

function subscriptionOf({ params }) {
  const id = members.get(params.member)
  if (id !== undefined) return id
  throw Object.assign(new Error('No member has this link.'), { statusCode: 404 })
}

function joinPage() {
  const choices = Object.entries(boxes).map(
    ([name, { title, amount }]) => `
      <label>
        <input type="radio" name="box" value="${name}" required> ${title}, ${money(amount)} a month
      </label>`,
  )
  return `
    <h1>Morning Coffee Club</h1>
    <form method="post" action="/members">
      <input type="hidden" name="member" value="${randomUUID()}">
      ${choices.join('')}
      <label>Email <input name="email" type="email" autocomplete="email" required></label>
      <button>Subscribe</button>
    </form>`
}

function memberPage(member, { status, reference }, payments, customer) {
  const months = payments.map((payment) => {
    const month = payment.metadata.subscription_period.slice(0, 10)
    const link =
      payment.status === 'pending' ? `: <a href="${payment.payment_url}">pay now</a>` : ''
    return `<li>${month} ${shipments.has(payment.id) ? 'shipped' : payment.status}${link}</li>`
  })
  const actions = { active: ['pause', 'cancel'], paused: ['resume', 'cancel'], canceled: [] }
  const buttons = actions[status].map(
    (action) =>
      `<form method="post" action="/members/${member}/${action}"><button>${action}</button></form>`,
  )
  return `
    <h1>${reference}</h1>
    <p>Your subscription is <strong>${status}</strong>.</p>
    <p>You have paid ${money(customer.total_paid)} so far.</p>
    <ul>${months.join('')}</ul>
    ${buttons.join('')}`
}

function sendPage(reply, body) {
  const style = `
    body { font: 1.1rem/1.6 system-ui; max-width: 32rem; margin: 3rem auto; padding: 0 1rem }
    label { display: block }`
  const head = `<meta name="viewport" content="width=device-width"><style>${style}</style>`
  return reply
    .type('text/html; charset=utf-8')
    .send(`<!doctype html><html lang="en"><title>Coffee</title>${head}<body>${body}</body></html>`)
}

const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (one) => `&#${one.codePointAt(0)};`)
const money = (cents) => `$${(cents / 100).toFixed(2)}`

await app.listen({ host: '127.0.0.1', port: Number(new URL(SHOP_URL).port || 80) })
console.log(`The shop is open at ${SHOP_URL}`)
