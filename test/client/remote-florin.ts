// Florin and its people for a test of the SDK on a Node that is too old for Florin itself: they are
// made by the test that started it, which is asked over HTTP.

import { recordSecretsIn } from '../support/secrets.ts'

const fixture_url = process.env.FLORIN_TEST_FIXTURE_URL!

async function ask(what: string, body: object = {}) {
  const response = await fetch(`${fixture_url}/${what}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  const made = JSON.parse(await response.text())
  recordSecretsIn(made)
  return made
}

export async function startFlorin() {
  return {
    ...(await ask('florin')),
    people: {
      owner: () => ask('owner'),
      admin: () => ask('admin'),
      platform: () => ask('platform'),
      session: (who: object) => ask('session', who),
    },
  }
}

let number = 0

export function credentials(role: string) {
  number += 1
  return { email: `${role}-${process.pid}-${number}@example.com`, password: crypto.randomUUID() }
}
