// Run once: opens a sandbox account for the shop and writes its settings to .env.

import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Florin } from 'florin-client'

const { FLORIN_URL = 'http://127.0.0.1:4000', SHOP_URL = 'http://127.0.0.1:3000' } = process.env

const florin = new Florin({ base_url: FLORIN_URL })
const email = `shelter-${randomBytes(4).toString('hex')}@example.com`
const password = randomBytes(16).toString('base64url')

const account = await florin.accounts.create({
  email,
  password,
  name: 'Harbor Animal Shelter',
  type: 'business',
  settings: { currency: 'USD' },
})
await florin.sessions.logIn({ email, password })

// Only the owner may register where the payment page sends customers back to.
await florin.account.addReturnOrigin({ origin: new URL(SHOP_URL).origin })

// The shop gets a key that can do nothing but request payments.
const { key } = await florin.apiKeys.create({
  name: 'Donation shop',
  scopes: ['payments:write', 'payments:read'],
})
const { secret } = await florin.webhookEndpoints.create({
  url: `${SHOP_URL}/webhooks`,
  events: ['payment.succeeded'],
})

const settings = {
  FLORIN_URL,
  FLORIN_API_KEY: key,
  FLORIN_ACCOUNT: account.id,
  FLORIN_WEBHOOK_SECRET: secret,
  SHOP_URL,
}
const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
writeFileSync('.env', lines.join(''), { mode: 0o600 })

console.log('Wrote .env. Start the shop with: npm start')
console.log(`Dashboard: ${FLORIN_URL}/dashboard, email ${email}, password ${password}`)
