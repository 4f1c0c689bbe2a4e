import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { openDatabase } from '../../src/postgres/database.ts'

// biome-ignore lint/suspicious/noExplicitAny: the description is looked into at every depth.
type Json = any

// No request in this file uses the database.
const db = openDatabase({ host: '/nowhere' })
const log = pino({ level: 'silent' })
const app = await buildApp({ db, log, config: readConfig({}), version: '1.2.3' })
after(async () => {
  await app.close()
  await db.close()
})

const description: Json = (await app.inject('/openapi.json')).json()
const operations: [name: string, operation: Json][] = Object.entries<Json>(
  description.paths,
).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [
    `${method} ${path}`,
    operation,
  ]),
)

test('the description is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(description))
  assert.deepEqual(errors, undefined)
  assert.equal(valid, true)
  assert.equal(validator.version, '3.1')
  assert.equal(description.info.version, '1.2.3')
  assert.deepEqual(description.servers, [{ url: 'http://127.0.0.1:4000' }])
})

test('integers that may exceed 32 bits have the format int64', () => {
  const found: string[] = []
  const walk = (value: Json, path: string) => {
    if (typeof value !== 'object' || value === null) return
    if ([value.type].flat().includes('integer') && !value.format && !(value.maximum < 2 ** 31)) {
      found.push(path)
    }
    for (const [name, inner] of Object.entries(value)) walk(inner, `${path}.${name}`)
  }
  walk(description, '')
  assert.deepEqual(found, [])
})

test('webhooks have a separate tag, because generators write one file per tag', () => {
  const used = new Set(operations.map(([, { tags }]) => tags[0]))
  for (const { post } of Object.values<Json>(description.webhooks)) {
    assert.equal(used.has(post.tags[0]), false, post.operationId)
  }
})

test('every operation has a summary, a description, a tag and security', () => {
  const ids = operations.map(([, { operationId }]) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  const known = new Set(description.tags.map(({ name }: Json) => name))
  for (const [name, operation] of operations) {
    assert.match(operation.operationId, /^[a-z][A-Za-z]+$/, name)
    assert.ok(operation.summary, name)
    assert.match(operation.description, /\.$/, name)
    assert.ok(known.has(operation.tags[0]), name)
    assert.ok(Array.isArray(operation.security), name)
  }
})

test('every response has its codes, its headers and a valid example', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(description, 'florin')
  const fits = (schema: Json, example: Json, name: string) => {
    const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"florin#/'))
    assert.ok(ajv.validate(rooted, example), `${name}: ${ajv.errorsText()}`)
  }
  for (const [name, { responses, requestBody }] of operations) {
    const body = requestBody?.content['application/json']
    if (body) fits(body.schema, body.example, name)
    for (const [status, response] of Object.entries<Json>(responses)) {
      const label = `${name} ${status}`
      assert.ok(response.headers['Request-Id'], label)
      if (status === '401') assert.ok(response.headers['WWW-Authenticate'], label)
      if (status === '429' || status === '503') assert.ok(response.headers['Retry-After'], label)
      if (status === '204') {
        assert.equal(response.content, undefined, label)
        continue
      }
      const [[type, media] = []] = Object.entries<Json>(response.content)
      if (status < '400') {
        fits(media.schema, media.example, label)
        continue
      }
      assert.equal(type, 'application/json', label)
      // One shared schema: generators would otherwise create a model per error and
      // operation.
      assert.deepEqual(media.schema, { $ref: '#/components/schemas/Error' }, label)
      const codes = Object.keys(media.examples)
      assert.ok(codes.length > 0, label)
      for (const code of codes) {
        assert.ok(media.examples[code].value.message, label)
        assert.ok(response.description.includes(`\`${code}\`: `), label)
        fits(media.schema, media.examples[code].value, label)
      }
    }
  }
})

test('components are named, and no internal marks are published', () => {
  const names = Object.keys(description.components.schemas)
  for (const name of names) assert.match(name, /^[A-Z][A-Za-z]+$/)
  for (const name of ['Account', 'Error', 'User']) assert.ok(names.includes(name), name)
  const text = JSON.stringify(description)
  for (const word of ['def-', '"x-', '"nullable"', '"format":"line"']) {
    assert.ok(!text.includes(word), word)
  }
  assert.deepEqual(description.components.schemas.User.properties.name.type, ['string', 'null'])
})

test('parameters are described, and those with a default are optional', () => {
  for (const [name, { parameters = [] }] of operations) {
    const in_path = [...name.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1])
    const listed = parameters.filter((parameter: Json) => parameter.in === 'path')
    assert.deepEqual(
      listed.map((parameter: Json) => parameter.name),
      in_path,
    )
    for (const parameter of parameters) {
      if (parameter.$ref) continue
      assert.match(parameter.description, /\.$/, `${name} ${parameter.name}`)
      if (parameter.schema.default !== undefined) assert.equal(parameter.required, false, name)
    }
  }
})

test('Florin-Account is listed where admins act for an account', () => {
  const ref = '#/components/parameters/FlorinAccount'
  const named = operations
    .filter(([, { parameters = [] }]) => parameters.some(({ $ref }: Json) => $ref === ref))
    .map(([name]) => name)
  assert.deepEqual(named, [
    'post /v1/users',
    'get /v1/account',
    'patch /v1/account',
    'delete /v1/account',
    'get /v1/account/users',
    'patch /v1/account/users/{user_id}',
    'get /v1/account/branding',
    'patch /v1/account/branding',
    'post /v1/account/logo',
    'delete /v1/account/logo',
    'get /v1/account/bank_details',
    'post /v1/account/bank_details',
    'delete /v1/account/bank_details',
    'post /v1/account/invitations',
    'get /v1/account/invitations',
    'delete /v1/account/invitations/{invitation_id}',
    'get /v1/account/balance',
    'get /v1/account/statement',
    'get /v1/account/journal',
    'get /v1/events',
    'get /v1/events/{event_id}',
    'get /v1/events/stream',
    'get /v1/request_logs',
    'post /v1/api_keys',
    'get /v1/api_keys',
    'delete /v1/api_keys/{key_id}',
    'get /v1/account/volume',
    'get /v1/account/attention',
    'post /v1/transactions',
    'get /v1/transactions',
    'get /v1/transactions/{transaction_id}',
    'patch /v1/transactions/{transaction_id}',
    'delete /v1/transactions/{transaction_id}',
    'post /v1/transactions/{transaction_id}/settle',
    'get /v1/transactions/{transaction_id}/postings',
    'post /v1/transactions/bulk',
    'get /v1/list_counts/transactions',
    'get /v1/list_counts/payments',
    'get /v1/list_counts/subscriptions',
    'get /v1/list_counts/webhook_deliveries',
    'get /v1/list_counts/events',
    'get /v1/transactions/{transaction_id}/refunds',
    'get /v1/transaction_details',
    'get /v1/transactions/{transaction_id}/charge',
    'get /v1/disputes',
    'get /v1/disputes/{dispute_id}',
    'post /v1/disputes/{dispute_id}/resolve',
    'post /v1/transfers',
    'get /v1/transfers',
    'get /v1/transfers/{transfer_id}',
    'get /v1/account/transfer_fee',
    'post /v1/account/transfer_fee',
    'delete /v1/account/transfer_fee',
    'post /v1/payouts',
    'get /v1/payouts',
    'get /v1/payouts/{payout_id}',
    'post /v1/payouts/{payout_id}/approve',
    'post /v1/payouts/{payout_id}/cancel',
    'post /v1/payouts/{payout_id}/resolve',
    'get /v1/account/payout_settings',
    'patch /v1/account/payout_destination',
    'patch /v1/account/payout_limit',
    'post /v1/payments',
    'get /v1/payments',
    'get /v1/payments/{payment_id}',
    'patch /v1/payments/{payment_id}',
    'get /v1/payments/{payment_id}/status',
    'get /v1/payments/{payment_id}/attempts',
    'post /v1/payments/{payment_id}/cancel',
    'post /v1/payments/{payment_id}/send',
    'post /v1/payments/{payment_id}/settle',
    'post /v1/payment_requests',
    'get /v1/payment_requests/{payment_id}',
    'get /v1/payments/{payment_id}/emails',
    'post /v1/payment_links',
    'get /v1/payment_links',
    'get /v1/payment_links/{payment_link_id}',
    'patch /v1/payment_links/{payment_link_id}',
    'get /v1/documents',
    'get /v1/documents/{document_id}',
    'get /v1/payments/{payment_id}/receipt',
    'get /v1/transactions/{transaction_id}/credit_note',
    'get /v1/account/return_origins',
    'post /v1/account/return_origins',
    'delete /v1/account/return_origins',
    'get /v1/payments/{payment_id}/return_urls',
    'post /v1/subscriptions',
    'get /v1/subscriptions',
    'get /v1/subscriptions/{subscription_id}',
    'patch /v1/subscriptions/{subscription_id}',
    'delete /v1/subscriptions/{subscription_id}',
    'get /v1/customers',
    'get /v1/customers/{customer_id}',
    'get /v1/customers/{customer_id}/payments',
    'get /v1/customers/{customer_id}/subscriptions',
    'get /v1/customers/{customer_id}/export',
    'post /v1/customers/{customer_id}/erase',
    'post /v1/webhook_endpoints',
    'get /v1/webhook_endpoints',
    'get /v1/webhook_endpoints/{endpoint_id}',
    'patch /v1/webhook_endpoints/{endpoint_id}',
    'delete /v1/webhook_endpoints/{endpoint_id}',
    'post /v1/webhook_endpoints/{endpoint_id}/rotate',
    'post /v1/webhook_endpoints/{endpoint_id}/test',
    'post /v1/webhook_endpoints/{endpoint_id}/replay',
    'get /v1/webhook_deliveries',
    'get /v1/webhook_deliveries/{delivery_id}',
    'post /v1/webhook_deliveries/{delivery_id}/retry',
    'get /v1/emails',
    'get /v1/emails/{email_id}',
    'get /v1/audit_log',
    'get /v1/search',
  ])
  assert.equal(description.components.parameters.FlorinAccount.name, 'Florin-Account')
})

// Operations for platforms that an account key may never call.
const for_platforms = [
  'get /v1/users',
  'get /v1/user_details',
  'post /v1/users',
  'get /v1/users/{user_id}',
  'get /v1/accounts',
  'post /v1/accounts',
  'get /v1/accounts/{account_id}',
  'get /v1/account/users',
  'post /v1/transactions/{transaction_id}/settle',
  'post /v1/payments/{payment_id}/settle',
  'post /v1/transfers',
  'post /v1/account/transfer_fee',
  'delete /v1/account/transfer_fee',
  'post /v1/bank_statements',
  'get /v1/bank_statements',
  'get /v1/bank_statements/{statement_id}',
  'get /v1/bank_entries',
  'get /v1/bank_entries/{entry_id}',
  'post /v1/bank_entries/{entry_id}/match',
  'post /v1/bank_entries/{entry_id}/ignore',
  'post /v1/bank_entries/{entry_id}/reopen',
  'get /v1/bank_column_maps',
  'post /v1/bank_column_maps',
  'delete /v1/bank_column_maps/{name}',
  'get /v1/settlements',
  'get /v1/settlements/{settlement_id}',
  'get /v1/settlements/{settlement_id}/entries',
  'get /v1/reconciliation',
]

test('each operation that accepts API keys lists its scope in text and security', () => {
  const by_key = operations.filter(([, { security }]) =>
    security.some((scheme: Json) => scheme.api_key),
  )
  assert.ok(by_key.length > 20)
  for (const [name, { security, description: text }] of by_key) {
    const [scope] = security.find((scheme: Json) => scheme.api_key).api_key
    assert.match(scope, /^[a-z_]+:(read|write)$/, name)
    const kind = for_platforms.includes(name) ? 'A platform key' : 'An API key'
    assert.ok(text.endsWith(`${kind} needs the scope \`${scope}\`.`), name)
  }
  const names = by_key.map(([name]) => name)
  for (const platform of for_platforms) assert.ok(names.includes(platform), platform)
  for (const never of ['patch /v1/account', 'post /v1/api_keys', 'get /v1/auth/sessions']) {
    assert.ok(!names.includes(never), never)
  }
})

test('every rule that a request can violate has its own error text', () => {
  const used = new Set<string>()
  const collect = (schema: Json): void => {
    const { properties = {}, items, ...rules } = schema
    for (const rule of Object.keys(rules)) used.add(rule)
    for (const field of [...Object.values<Json>(properties), ...(items ? [items] : [])])
      collect(field)
  }
  for (const [, { parameters = [], requestBody }] of operations) {
    for (const { schema } of parameters) if (schema) collect(schema)
    const media = requestBody?.content['application/json']
    if (media) collect(media.schema)
  }
  const ignored = ['description', 'examples', 'example', 'default', 'writeOnly', 'readOnly']
  // Rules that the server checks in code, each with a separate message.
  ignored.push('pattern', 'anyOf', '$ref')
  // A new rule needs a case in src/http/validation.ts and then an entry here.
  const covered = ['type', 'enum', 'format', 'minLength', 'maxLength', 'minimum', 'maximum'].concat(
    ['minItems', 'maxItems', 'required', 'additionalProperties'],
  )
  assert.deepEqual([...used.difference(new Set([...ignored, ...covered]))], [])
})

test('bodies are listed as required, optional or absent', () => {
  const bodies = Object.fromEntries(
    operations.map(([name, { requestBody }]) => [name, requestBody?.required]),
  )
  assert.equal(bodies['post /v1/auth/login'], true)
  assert.equal(bodies['post /v1/auth/refresh'], false)
  assert.equal(bodies['delete /v1/auth/session'], false)
  assert.equal(bodies['delete /v1/account'], undefined)
})

test('the description is as strict as the server', () => {
  const schemaOf = (call: string, name: string): Json => {
    const [method, path] = call.split(' ')
    const { parameters = [], requestBody } = description.paths[path!][method!]
    const parameter = parameters.find((parameter: Json) => parameter.name === name)
    return parameter?.schema ?? requestBody.content['application/json'].schema.properties[name]
  }
  const { Currency, EventFilter, Scope } = description.components.schemas
  assert.ok(Currency.enum.includes('USD') && !Currency.enum.includes('usd'))
  assert.deepEqual(schemaOf('post /v1/payments', 'currency').$ref, '#/components/schemas/Currency')
  assert.ok(Scope.enum.includes('transactions:write') && Scope.enum.includes('*'))
  assert.equal(schemaOf('post /v1/api_keys', 'scopes').items.$ref, '#/components/schemas/Scope')
  assert.ok(EventFilter.enum.includes('payment.*'))
  assert.equal(schemaOf('get /v1/events', 'type').$ref, '#/components/schemas/EventFilter')
  for (const call of ['get /v1/transactions', 'get /v1/payments', 'get /v1/audit_log']) {
    const date = new RegExp(schemaOf(call, 'date_from').pattern)
    for (const good of ['2026-01-31', '2026-01-31T09:30:00Z']) assert.match(good, date, call)
    for (const bad of ['31.01.2026', '2026-01-31T09:30']) assert.doesNotMatch(bad, date, call)
  }
  assert.match('txn_01h455vb4pex5vsknk084sn02q', pattern('get /v1/transactions'))
  assert.doesNotMatch('pay_01h455vb4pex5vsknk084sn02q', pattern('get /v1/transactions'))
  assert.doesNotMatch('x', pattern('get /v1/account/statement'))
  const { minLength, maxLength } = schemaOf('post /v1/users', 'password')
  assert.deepEqual([minLength, maxLength], [8, 128])

  function pattern(call: string): RegExp {
    return new RegExp(schemaOf(call, 'starting_after').pattern)
  }
})

test('every event has a webhook whose data is typed', () => {
  const types: string[] = description.components.schemas.Event.properties.type.enum
  assert.deepEqual(Object.keys(description.webhooks), types)
  const { schema } =
    description.webhooks['payment.succeeded'].post.requestBody.content['application/json']
  assert.deepEqual(schema.allOf[1].properties.data, { $ref: '#/components/schemas/Payment' })
})
