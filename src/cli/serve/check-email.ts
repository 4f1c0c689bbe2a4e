// Email check of florin doctor: connects to the SMTP server. Sends nothing.

import type { Config } from '../../config.ts'
import { openSmtpTransport } from '../../email/smtp-transport.ts'
import { type Finding, ok, warn } from './finding.ts'

export async function checkEmail({ smtp, mode }: Config): Promise<Finding> {
  if (smtp === undefined && mode === 'live') {
    const advice = 'Set FLORIN_SMTP_URL and FLORIN_EMAIL_FROM.'
    return warn(
      'Email',
      `No SMTP server: customers receive no payment links or receipts. ${advice}`,
    )
  }
  if (smtp === undefined) {
    return ok('Email', 'stored in the database only; nothing is sent')
  }
  const { server, from } = smtp
  const address = `${server.host}:${server.port}`
  const transport = openSmtpTransport(server, from)
  try {
    await transport.check()
    return ok('Email', `from ${from.address} through ${address}`)
  } catch (error) {
    // Florin runs without it and queues emails.
    const advice = 'Check FLORIN_SMTP_URL. Emails stay queued until it works.'
    const reason = (error as Error).message
    return warn('Email', `SMTP server ${address} is not usable: ${reason}. ${advice}`)
  } finally {
    transport.disconnect()
  }
}
