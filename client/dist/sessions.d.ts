import type { CallOptions, WriteOptions } from './call.ts';
import type { EndSessionBody, EndSessionResponse, LogInBody, LogInResponse, RefreshResponse } from './generated/requests.ts';
import { SessionsCalls } from './generated/resources.ts';
import type { Transport } from './transport.ts';
export declare class Sessions extends SessionsCalls {
    #private;
    constructor(transport: Transport);
    /** Log in: `POST /v1/auth/login`. From here on the client acts as this user. */
    logIn(body: LogInBody, options?: CallOptions): Promise<LogInResponse>;
    /**
     * Renew the tokens: `POST /v1/auth/refresh`. The client does so by itself when a request is
     * refused; all who ask at the same time share one renewal.
     */
    refresh(): Promise<RefreshResponse>;
    /** End a session: `DELETE /v1/auth/session`, the client's own unless another is named. */
    end(body?: EndSessionBody, options?: WriteOptions): Promise<EndSessionResponse>;
}
