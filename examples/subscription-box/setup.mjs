// Run once: opens a sandbox account for the shop and writes its settings to .env.

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Florin } from 'florin-client'

const { FLORIN_URL = 'http://127.0.0.1:4000', SHOP_URL = 'http://127.0.0.1:3001' } = process.env

const florin = new Florin({ base_url: FLORIN_URL })
const email = `coffee-${randomBytes(4).toString('hex')}@example.com`
const password = randomBytes(16).toString('base64url')

await florin.accounts.create({
  email,
  password,
  name: 'Morning Coffee Club',
  type: 'business',
  settings: { currency: 'USD' },
})
await florin.sessions.logIn({ email, password })

const { key } = await florin.apiKeys.create({
  name: 'Subscription box',
  scopes: ['subscriptions:write', 'subscriptions:read', 'payments:read', 'customers:read'],
})
const { secret } = await florin.webhookEndpoints.create({
  url: `${SHOP_URL}/webhooks`,
  events: ['payment.succeeded', 'payment.failed', 'payment.canceled'],
})

const settings = { FLORIN_URL, FLORIN_API_KEY: key, FLORIN_WEBHOOK_SECRET: secret, SHOP_URL }
const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
writeFileSync('.env', lines.join(''), { mode: 0o600 })

console.log('Wrote .env. Start the shop with: npm start')
console.log(`Dashboard: ${FLORIN_URL}/dashboard, email ${email}, password ${password}`)
