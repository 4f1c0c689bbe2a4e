// An authenticated GET /v1/account compared with a bare echo, and whether the duration of a failed
// login reveals that an email exists.

import type { Figure } from './figure.ts'
import { compareWithEcho, type Options } from './interleaved-runs.ts'
import { httpRequest, startEcho, startFlorin } from './processes.ts'
import { median, ratio } from './statistics.ts'
import type { WithTarget } from './targets.ts'

const json = { 'content-type': 'application/json' }

export function identity(withTarget: WithTarget, options: Options): Promise<Figure[]> {
  return withTarget(async (target) => {
    const florin = await startFlorin(target.env)
    try {
      const url = `http://127.0.0.1:${florin.port}`
      const account = await accountAgainstEcho(florin.port, url, options)
      return [...account, await loginTimes(url, options)]
    } finally {
      await florin.stop()
    }
  })
}

async function accountAgainstEcho(port: number, url: string, options: Options): Promise<Figure[]> {
  const owner = { email: 'owner@example.com', password: 'bench-password' }
  const body = JSON.stringify({ ...owner, name: 'Acme Ltd', type: 'business' })
  await fetch(`${url}/v1/accounts`, { method: 'POST', headers: json, body })
  const token = await logIn(url, owner)
  const headers = [`authorization: Bearer ${token}`]
  const response = await fetch(`${url}/v1/account`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const echo = await startEcho(await response.text())
  const requests = [httpRequest('GET', '/v1/account', headers)]
  const florin = { name: 'florin', port, requests, status: 200 }
  const mark = { name: 'GET /v1/account ÷ bare echo', min: 0.4, goal: 0.6 }
  const figures = await compareWithEcho(florin, { ...florin, port: echo.port }, mark, options)
  await echo.stop()
  return figures
}

async function logIn(url: string, who: { email: string; password: string }): Promise<string> {
  const response = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(who),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Runs the login timing on a separate server. */
export function loginTimingBench(withTarget: WithTarget, options: Options): Promise<Figure> {
  return withTarget(async (target) => {
    const florin = await startFlorin(target.env)
    try {
      return await loginTimes(`http://127.0.0.1:${florin.port}`, options)
    } finally {
      await florin.stop()
    }
  })
}

// Alternates between an existing email with a wrong password and an email that does not exist. Each
// pair uses new emails, because ten failures would trigger the throttle.
async function loginTimes(url: string, options: Options): Promise<Figure> {
  const wrong: number[] = []
  const unknown: number[] = []
  const pairs = options.seconds > 1 ? 60 : 20
  for (let pair = 0; pair < pairs; pair++) {
    const email = `known-${pair}@example.com`
    await post(url, '/v1/users', { email, password: 'bench-password' })
    wrong.push(await post(url, '/v1/auth/login', { email, password: 'not the password' }))
    const unknown_user = { email: `unknown-${pair}@example.com`, password: 'not the password' }
    unknown.push(await post(url, '/v1/auth/login', unknown_user))
  }
  return {
    name: 'login with unknown email ÷ with wrong password, medians',
    value: ratio(median(unknown), median(wrong)),
    unit: 'ratio',
    min: 0.9,
    max: 1.1,
    goal: 1,
    details: { wrong_ms: median(wrong), unknown_ms: median(unknown), pairs },
  }
}

async function post(url: string, path: string, body: object): Promise<number> {
  const started = performance.now()
  const response = await fetch(url + path, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(body),
  })
  await response.text()
  return performance.now() - started
}
