// What doctor looks at on the way to the mail server. Nothing is sent.

import type { Config } from '../config.ts'
import { openPostOffice } from '../email/smtp-transport.ts'
import { type Finding, ok, warn } from './finding.ts'

export async function checkMail({ mail, mode }: Config): Promise<Finding> {
  if (mail === undefined && mode === 'live') {
    const advice = 'Set FLORIN_SMTP_URL and FLORIN_MAIL_FROM.'
    return warn('Mail', `no SMTP server: customers get no payment links or receipts. ${advice}`)
  }
  if (mail === undefined) {
    return ok('Mail', 'kept in the database for admins; nothing leaves this machine')
  }
  const { server, from } = mail
  const place = `${server.host}:${server.port}`
  const post = openPostOffice(server, from)
  try {
    await post.check()
    return ok('Mail', `from ${from.address} through ${place}`)
  } catch (error) {
    // Florin serves without it: emails wait.
    const advice = 'Check FLORIN_SMTP_URL. Until it works, emails wait.'
    return warn('Mail', `${place} does not take mail: ${(error as Error).message}. ${advice}`)
  } finally {
    post.hangUp()
  }
}
