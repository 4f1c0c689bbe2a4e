// Replaces the test support modules when the SDK tests run on a Node.js that is too old for Florin.
// The parent test creates the fixtures and serves them over HTTP.

import { recordSecretsIn } from '../support/secrets.ts'

const fixture_url = process.env.FLORIN_TEST_FIXTURE_URL!

async function fetchFixture(what: string, body: object = {}) {
  const response = await fetch(`${fixture_url}/${what}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  const fixture = JSON.parse(await response.text())
  recordSecretsIn(fixture)
  return fixture
}

export async function startFlorin() {
  return {
    ...(await fetchFixture('florin')),
    people: {
      owner: () => fetchFixture('owner'),
      admin: () => fetchFixture('admin'),
      platform: () => fetchFixture('platform'),
      session: (who: object) => fetchFixture('session', who),
    },
  }
}

let number = 0

export function credentials(role: string) {
  number += 1
  return { email: `${role}-${process.pid}-${number}@example.com`, password: crypto.randomUUID() }
}
