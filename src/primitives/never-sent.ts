// Whether a request that failed has reached anybody.

const never_sent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/**
 * Only where no connection came to be is it known that nothing was done. A certificate that is not
 * trusted ends the connection before anything is said on it.
 */
export function wasNeverSent(error: unknown): boolean {
  const code = causeCode(error) ?? ''
  return never_sent.has(code) || /CERT|^UNABLE_TO_/.test(code)
}

/** fetch says "fetch failed", and why one level deeper. */
export function causeCode(error: unknown): string | undefined {
  return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code
}
