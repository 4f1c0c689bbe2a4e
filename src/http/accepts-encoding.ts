import type { FastifyRequest } from 'fastify'

/** Whether Accept-Encoding allows the encoding; `gzip;q=0` rejects it. */
export function acceptsEncoding({ headers }: FastifyRequest, encoding: 'br' | 'gzip'): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').toLowerCase()
  return accepted.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
