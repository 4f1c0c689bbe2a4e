// An error of the HTTP layer itself, raised before any business rule. The API has no codes for
// these statuses, so the code is invalid_request or not_found.

export class HttpFault extends Error {
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'HttpFault'
    this.status = status
    this.headers = headers
  }

  get code(): 'not_found' | 'invalid_request' {
    return this.status === 404 ? 'not_found' : 'invalid_request'
  }
}
