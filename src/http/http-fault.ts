// A fault of the HTTP layer itself, before any rule of Florin's own: a status that INTERFACE.md has
// no code for, told as invalid_request or not_found.

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
