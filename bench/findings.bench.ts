// `npm run bench -- findings`: findings of a security review, each as one short attack with one
// figure and the most that is allowed. `npm run bench -- abuse` has the attacks with load. The
// server has default settings, or an https public URL as behind a proxy.

import { People } from '../test/support/people.ts'
import { startSmtpServer } from '../test/support/smtp-server.ts'
import {
  cookiesWithoutSecure,
  createMember,
  foreignHosts,
  guessEmailsByTime,
  guessesPerSecond,
  hiddenEvents,
  readLocalServices,
  useMemberOfRevokedKey,
} from './access-findings.ts'
import type { Figure } from './figure.ts'
import { startFlorin, startWorker } from './processes.ts'
import {
  closeWithMembers,
  closeWithSubscriptions,
  delayFirstAttempt,
  delayLogins,
  listNextToLargeAccount,
  lockWithoutIntegrity,
  loseRequestLogs,
  misreportVolume,
  rejectStreams,
  storeMetadata,
  storeResponses,
  suppressEmails,
  suspendAfterRenewals,
} from './resource-findings.ts'
import type { Scene } from './scene.ts'
import { type BenchTarget, type WithTarget, withDatabase } from './targets.ts'

interface Finding {
  name: string
  unit: Figure['unit']
  max: number
  measure(scene: Scene): Promise<number>
}

const by_default: Finding[] = [
  // First: the request log is sampled after 500 requests.
  {
    name: '16: transactions without a request log entry after a disconnect, of 40',
    unit: 'count',
    max: 0,
    measure: loseRequestLogs,
  },
  {
    name: '2: suspension of a user with 600 000 used refresh tokens',
    unit: 'ms',
    max: 1_000,
    measure: suspendAfterRenewals,
  },
  {
    name: '3: login during 80 sign-ups per second with an email that exists',
    unit: 'ms',
    max: 2_000,
    measure: delayLogins,
  },
  {
    name: '8: requests in a foreign account with a platform key for users:write',
    unit: 'count',
    max: 0,
    measure: createMember,
  },
  {
    name: '8: requests of a member after the key that created it was revoked',
    unit: 'count',
    max: 0,
    measure: useMemberOfRevokedKey,
  },
  {
    name: 'password resets: right guesses of existing emails by time, distance from one half',
    unit: 'ratio',
    max: 0.1,
    measure: guessEmailsByTime,
  },
  { name: '9: requests with a foreign Host served', unit: 'count', max: 0, measure: foreignHosts },
  {
    name: '11: rows read to list one transaction next to an account with 300 000',
    unit: 'count',
    max: 1_000,
    measure: listNextToLargeAccount,
  },
  {
    name: '12: emails of a shop that two other accounts suppress',
    unit: 'count',
    max: 0,
    measure: suppressEmails,
  },
  {
    name: '14: stored in 10 s by webhook tests to a failing receiver',
    unit: 'MB',
    max: 5,
    measure: storeResponses,
  },
  {
    name: '14: stored in 10 s by 16 KB of metadata per transaction, near the daily quota',
    unit: 'MB',
    max: 10,
    measure: storeMetadata,
  },
  {
    name: '15: event streams rejected for an account, with 1 000 opened by ten others',
    unit: 'count',
    max: 0,
    measure: rejectStreams,
  },
  {
    name: '18: events about objects that the caller may not list',
    unit: 'count',
    max: 0,
    measure: hiddenEvents,
  },
  {
    name: '19: error of a volume beyond 2^53, in minor units',
    unit: 'count',
    max: 0,
    measure: misreportVolume,
  },
  {
    name: '20: guesses at a password from a stored response',
    unit: 'per second',
    max: 200,
    measure: guessesPerSecond,
  },
  {
    name: '21: packages in the lock file without a checksum',
    unit: 'count',
    max: 0,
    measure: lockWithoutIntegrity,
  },
  {
    name: '13: first webhook attempt next to 100 000 idle endpoints',
    unit: 'ms',
    max: 1_000,
    measure: delayFirstAttempt,
  },
  // Last: the worker deletes the rows of closed accounts afterwards.
  {
    name: '4: slowest read while eleven accounts with 1 000 members are closed',
    unit: 'ms',
    max: 2_000,
    measure: closeWithMembers,
  },
  {
    name: '6: slowest read while an account with 150 000 subscriptions is closed',
    unit: 'ms',
    max: 1_000,
    measure: closeWithSubscriptions,
  },
]

const behind_proxy: Finding[] = [
  {
    name: '7: responses of local services read by webhooks, of 5 URLs',
    unit: 'count',
    max: 0,
    measure: readLocalServices,
  },
  {
    name: '17: dashboard cookies without Secure',
    unit: 'count',
    max: 0,
    measure: cookiesWithoutSecure,
  },
]

export function findings(withTarget: WithTarget): Promise<Figure[]> {
  return withTarget(async (target) => {
    const https = { FLORIN_PUBLIC_URL: 'https://pay.example.com' }
    const figures = [
      ...(await measureAll(target, behind_proxy, https)),
      ...(await measureAll(target, by_default, {})),
    ]
    return figures.sort((a, b) => Number.parseInt(a.name, 10) - Number.parseInt(b.name, 10))
  })
}

async function measureAll(
  target: BenchTarget,
  all: Finding[],
  settings: Record<string, string>,
): Promise<Figure[]> {
  const smtp = await startSmtpServer()
  const env = {
    ...target.env,
    FLORIN_RATE_LIMIT: '100',
    FLORIN_SMTP_URL: smtp.url,
    FLORIN_EMAIL_FROM: 'Florin <florin@example.com>',
    ...settings,
  }
  const florin = await startFlorin(env)
  const url = `http://127.0.0.1:${florin.port}`
  const worker = await startWorker({ FLORIN_PUBLIC_URL: url, ...env })
  try {
    return await withDatabase(target, async (db) => {
      const figures: Figure[] = []
      const scene = { url, db, people: new People(db), emails: smtp.received }
      for (const { name, unit, max, measure } of all) {
        const started = performance.now()
        const value = await measure(scene)
        const seconds = Math.round((performance.now() - started) / 100) / 10
        process.stderr.write(`${name}: ${value} (${seconds} s)\n`)
        figures.push({ name, value, unit, max, details: { seconds } })
      }
      return figures
    })
  } finally {
    await worker.stop()
    await florin.stop()
    await smtp.stop()
  }
}
