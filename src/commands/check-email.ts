// What doctor looks at on the way to the mail server. Nothing is sent.

import type { Config } from '../config.ts'
import { openSmtpTransport } from '../email/smtp-transport.ts'
import { type Finding, ok, warn } from './finding.ts'

export async function checkEmail({ smtp, mode }: Config): Promise<Finding> {
  if (smtp === undefined && mode === 'live') {
    const advice = 'Set FLORIN_SMTP_URL and FLORIN_EMAIL_FROM.'
    return warn('Email', `no SMTP server: customers get no payment links or receipts. ${advice}`)
  }
  if (smtp === undefined) {
    return ok('Email', 'kept in the database for admins; nothing leaves this machine')
  }
  const { server, from } = smtp
  const place = `${server.host}:${server.port}`
  const transport = openSmtpTransport(server, from)
  try {
    await transport.check()
    return ok('Email', `from ${from.address} through ${place}`)
  } catch (error) {
    // Florin serves without it: emails wait.
    const advice = 'Check FLORIN_SMTP_URL. Until it works, emails wait.'
    return warn('Email', `${place} does not take mail: ${(error as Error).message}. ${advice}`)
  } finally {
    transport.disconnect()
  }
}
