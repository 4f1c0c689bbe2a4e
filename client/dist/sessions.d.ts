import type { CallOptions, WriteOptions } from './call.ts';
import type { EndSessionBody, EndSessionResponse, LogInBody, LogInResponse, RefreshResponse } from './generated/requests.ts';
import { SessionsCalls } from './generated/resources.ts';
import type { Transport } from './transport.ts';
export declare class Sessions extends SessionsCalls {
    #private;
    constructor(transport: Transport);
    /** Log in: `POST /v1/auth/login`. The client then acts as this user. */
    logIn(body: LogInBody, options?: CallOptions): Promise<LogInResponse>;
    /**
     * Refresh the tokens: `POST /v1/auth/refresh`. The client does this automatically when a token
     * has expired. Concurrent calls share one request.
     */
    refresh(): Promise<RefreshResponse>;
    /** End a session: `DELETE /v1/auth/session`. Default: the session of this client. */
    end(body?: EndSessionBody, options?: WriteOptions): Promise<EndSessionResponse>;
}
