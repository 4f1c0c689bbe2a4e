// Whether a failed request can have reached the server.

const never_sent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/**
 * Only without a connection is it certain that the request had no effect. An untrusted certificate
 * closes the connection before the request is sent.
 */
export function wasNeverSent(error: unknown): boolean {
  const code = causeCode(error) ?? ''
  return never_sent.has(code) || /CERT|^UNABLE_TO_/.test(code)
}

/** The message of fetch is always "fetch failed"; the reason is in its cause. */
export function causeCode(error: unknown): string | undefined {
  return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code
}
