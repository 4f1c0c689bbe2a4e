import type { FastifyRequest } from 'fastify'

/** Whether Accept-Encoding names it, and not only to refuse it: `gzip;q=0` is a no. */
export function acceptsEncoding({ headers }: FastifyRequest, encoding: 'br' | 'gzip'): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').toLowerCase()
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    return name === encoding && !parameters.some((one) => /^q=0(\.0*)?$/.test(one))
  })
}
