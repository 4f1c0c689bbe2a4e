// Sessions change what the client is: logging in gives it tokens, ending takes them away.

import type { CallOptions, WriteOptions } from './call.ts'
import { pickTokens } from './credentials.ts'
import type {
  EndSessionBody,
  EndSessionResponse,
  LogInBody,
  LogInResponse,
  RefreshResponse,
} from './generated/requests.ts'
import { SessionsCalls } from './generated/resources.ts'
import type { Transport } from './transport.ts'

export class Sessions extends SessionsCalls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    super(transport)
    this.#transport = transport
  }

  /** Log in: `POST /v1/auth/login`. From here on the client acts as this user. */
  override async logIn(body: LogInBody, options: CallOptions = {}): Promise<LogInResponse> {
    const response = await super.logIn(body, options)
    await this.#transport.credentials.set(pickTokens(response))
    return response
  }

  /**
   * Renew the tokens: `POST /v1/auth/refresh`. The client does so by itself when a request is
   * refused; all who ask at the same time share one renewal.
   */
  override refresh(): Promise<RefreshResponse> {
    return this.#transport.credentials.renew()
  }

  /** End a session: `DELETE /v1/auth/session`, the client's own unless another is named. */
  override async end(
    body: EndSessionBody = {},
    options: WriteOptions = {},
  ): Promise<EndSessionResponse> {
    const { credentials } = this.#transport
    const { session } = credentials
    const response = await super.end(body, options)
    const is_own =
      body.session_id === undefined || credentials.tokens?.session_id === body.session_id
    // Whoever was logged in meanwhile stays.
    if (is_own && credentials.session === session) await credentials.set(null)
    return response
  }
}
