import type { BankStatement, Customer, Dispute, ErrorBody, EventFilter, ListedTransaction, Payment, Scope, Subscription } from './schemas.ts';
export interface LogInBody {
    /** An email address. Comparison ignores case; the original spelling is stored. */
    email: string;
    /** The password. It must be well-formed text without control characters. */
    password: string;
    /**
     * The current code of the authenticator app, or an unused recovery code. It must be well-formed
     * text without control characters.
     */
    code?: string | undefined;
}
export interface LogInResponse {
    /** Send it as `Authorization: Bearer …`. */
    access_token: string;
    /** Exchange it once at POST /v1/auth/refresh. */
    refresh_token: string;
    /** Always Bearer. */
    token_type: 'Bearer';
    /** The lifetime of the access token in seconds. */
    expires_in: number;
    /** The id of the session, for DELETE /v1/auth/session. */
    session_id: string;
    user: {
        /** The id of the user. */
        id: string;
        /** The email address used to log in. */
        email: string;
        /** The name of the user, or null. */
        name: string | null;
    };
}
export interface RefreshBody {
    /**
     * The refresh token, unless it is in the header. It must be well-formed text without control
     * characters.
     */
    refresh_token?: string | undefined;
}
export interface RefreshResponse {
    /** Send it as `Authorization: Bearer …`. */
    access_token: string;
    /** Exchange it once at POST /v1/auth/refresh. */
    refresh_token: string;
    /** Always Bearer. */
    token_type: 'Bearer';
    /** The lifetime of the access token in seconds. */
    expires_in: number;
    /** The id of the session, for DELETE /v1/auth/session. */
    session_id: string;
}
export interface EndSessionBody {
    /** The session to end. Defaults to the current session. */
    session_id?: string | undefined;
}
export interface EndSessionResponse {
    /** A summary for humans. */
    message: string;
    /** The session that ended. */
    session_id: string;
}
export interface ListSessionsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface StartTotpBody {
    /**
     * A name for the factor. It must be well-formed text without control characters, and not blank.
     */
    name?: string | undefined;
}
export interface ConfirmTotpBody {
    /**
     * The current code of the authenticator app, or an unused recovery code. It must be well-formed
     * text without control characters.
     */
    code: string;
}
export interface DeleteFactorResponse {
    /** A summary for humans. */
    message: string;
    /** The id of the removed factor. */
    id: string;
}
export interface RequestPasswordResetBody {
    /** An email address. Comparison ignores case; the original spelling is stored. */
    email: string;
}
export interface RequestPasswordResetResponse {
    /** A summary for humans. */
    message: string;
}
export interface GetPasskeyLoginOptionsResponse {
    /** The options, as `parseRequestOptionsFromJSON()` and its sibling take them. */
    public_key: Record<string, unknown>;
}
export interface LogInWithPasskeyBody {
    /** The `PublicKeyCredential` of the browser, as its `toJSON()` returns it. */
    credential: Record<string, unknown>;
}
export interface LogInWithPasskeyResponse {
    /** Send it as `Authorization: Bearer …`. */
    access_token: string;
    /** Exchange it once at POST /v1/auth/refresh. */
    refresh_token: string;
    /** Always Bearer. */
    token_type: 'Bearer';
    /** The lifetime of the access token in seconds. */
    expires_in: number;
    /** The id of the session, for DELETE /v1/auth/session. */
    session_id: string;
    user: {
        /** The id of the user. */
        id: string;
        /** The email address used to log in. */
        email: string;
        /** The name of the user, or null. */
        name: string | null;
    };
}
export interface GetPasskeyOptionsResponse {
    /** The options, as `parseRequestOptionsFromJSON()` and its sibling take them. */
    public_key: Record<string, unknown>;
}
export interface AddPasskeyBody {
    /**
     * A name for the factor. It must be well-formed text without control characters, and not blank.
     */
    name?: string | undefined;
    /** The `PublicKeyCredential` of the browser, as its `toJSON()` returns it. */
    credential: Record<string, unknown>;
}
export interface UnlinkIdentityResponse {
    /** A summary for humans. */
    message: string;
    /** The id of the linked login. */
    id: string;
}
export interface ListUsersQuery {
    /** The page number, starting at 1. */
    page?: number | undefined;
    /** The number of entries per page. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** Only an active user can log in. */
    status?: 'active' | 'suspended' | 'pending' | undefined;
    /**
     * Part of the name or email. Case is ignored. It must be well-formed text without control
     * characters.
     */
    search?: string | undefined;
}
export interface ListUsersPagination {
    /** The current page, starting at 1. */
    page: number;
    /** The number of entries per page. */
    limit: number;
    /** The number of pages. */
    total_pages: number;
    /** The number of entries on all pages. */
    total_records: number;
}
export interface CreateUserBody {
    /** An email address. Comparison ignores case; the original spelling is stored. */
    email: string;
    /**
     * At least 8 characters in sandbox mode or 15 in live mode, and at most 128, counted after NFKC
     * normalization. Never returned. It must be well-formed text without control characters.
     */
    password: string;
    /**
     * The name of the user. null clears it. It must be well-formed text without control characters,
     * and not blank.
     */
    name?: string | null | undefined;
}
export interface ListUserDetailsQuery {
    /** Up to 100 user ids, separated by commas. */
    user_ids: string;
}
export interface UpdateUserBody {
    /**
     * The name of the user. null clears it. It must be well-formed text without control characters,
     * and not blank.
     */
    name?: string | null | undefined;
    /** Only an active user can log in. */
    status?: 'active' | 'suspended' | 'pending' | undefined;
    /**
     * At least 8 characters in sandbox mode or 15 in live mode, and at most 128, counted after NFKC
     * normalization. Never returned. It must be well-formed text without control characters.
     */
    password?: string | undefined;
    /**
     * The caller's current password. Optional: checked if it is sent. A wrong one counts as a failed
     * login. It must be well-formed text without control characters.
     */
    current_password?: string | undefined;
}
export interface DeleteUserResponse {
    /** A summary for humans. */
    message: string;
    /** The id of the deleted user. */
    id: string;
}
export interface UpdateNotificationsBody {
    /** A payment request of your account was paid. At most two emails per hour. */
    payment_received?: boolean | undefined;
    /** A payment of your account failed. At most two emails per hour. */
    payment_failed?: boolean | undefined;
    /** A dispute of your account was opened or decided. */
    dispute?: boolean | undefined;
    /** A login from an address and client that you have not used before. */
    new_login?: boolean | undefined;
    /** The past week of your account, on Mondays at 8:00 in the account's time zone. */
    weekly_summary?: boolean | undefined;
}
export interface CreateAccountBody {
    /** An email address. Comparison ignores case; the original spelling is stored. */
    email: string;
    /**
     * The name of the business or individual. It must be well-formed text without control characters,
     * and not blank.
     */
    name: string;
    /** Whether the account belongs to a person or a business. */
    type: 'individual' | 'business';
    /**
     * At least 8 characters in sandbox mode or 15 in live mode, and at most 128, counted after NFKC
     * normalization. Never returned. It must be well-formed text without control characters.
     */
    password: string;
    /** Preferences. Omitted fields keep their value. Defaults: USD, UTC and en. */
    settings?: {
        /**
         * The base currency, fixed by the first transaction, payment request or subscription. It must
         * be an active ISO 4217 currency code in upper case, such as USD.
         */
        currency?: string | undefined;
        /**
         * The time zone that determines when a day starts. It must be an IANA time zone such as
         * Europe/Berlin, or UTC.
         */
        timezone?: string | undefined;
        /** The language of emails and pages. It must be a BCP 47 language tag such as en or pt-BR. */
        language?: string | undefined;
    } | undefined;
}
export interface ListAccountsQuery {
    /** The page number, starting at 1. */
    page?: number | undefined;
    /** The number of entries per page. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A suspended or pending account accepts no new payments. closed is final. */
    status?: 'active' | 'suspended' | 'pending' | 'closed' | undefined;
    /** Whether the account belongs to a person or a business. */
    type?: 'individual' | 'business' | undefined;
    /**
     * Only accounts opened at or after this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    created_after?: string | undefined;
    /**
     * Only accounts opened at or before this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    created_before?: string | undefined;
    /**
     * Part of the name or email. Case is ignored. It must be well-formed text without control
     * characters.
     */
    search?: string | undefined;
}
export interface ListAccountsPagination {
    /** The current page, starting at 1. */
    page: number;
    /** The number of entries per page. */
    limit: number;
    /** The number of entries on all pages. */
    total: number;
    /** Whether there is a next page. */
    has_next: boolean;
}
export interface UpdateAccountStatusBody {
    /** A suspended or pending account accepts no new payments. */
    status: 'active' | 'suspended' | 'pending';
}
export interface UpdateAccountBody {
    /**
     * The name of the business or individual. It must be well-formed text without control characters,
     * and not blank.
     */
    name?: string | undefined;
    /** An email address. Comparison ignores case; the original spelling is stored. */
    email?: string | undefined;
    /** Preferences. Omitted fields keep their value. Defaults: USD, UTC and en. */
    settings?: {
        /**
         * The base currency, fixed by the first transaction, payment request or subscription. It must
         * be an active ISO 4217 currency code in upper case, such as USD.
         */
        currency?: string | undefined;
        /**
         * The time zone that determines when a day starts. It must be an IANA time zone such as
         * Europe/Berlin, or UTC.
         */
        timezone?: string | undefined;
        /** The language of emails and pages. It must be a BCP 47 language tag such as en or pt-BR. */
        language?: string | undefined;
    } | undefined;
}
export interface CloseAccountResponse {
    /** The id of the closed account. */
    id: string;
    status: 'closed';
    /** When the account was closed. */
    closed_at: string;
    /** A summary for humans. */
    message: string;
}
export interface ListAccountUsersQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface ChangeUserRoleBody {
    /** member creates payments, payment requests and subscriptions; viewer only reads. */
    role: 'member' | 'viewer';
}
export interface UpdateBrandingBody {
    /**
     * The color of buttons on the payment page and in emails, as #rrggbb. White or black text on it
     * must reach a contrast of 4.5:1, and the color itself 3:1 with a white page. A darker page uses
     * a lighter shade. It must be well-formed text without control characters.
     */
    accent_color?: string | null | undefined;
    /** The address for questions of customers. Without one, the email of the account. */
    support_email?: string | null | undefined;
    /**
     * The phone number for questions of customers. It must be well-formed text without control
     * characters.
     */
    support_phone?: string | null | undefined;
    /** The website of the business. It must be well-formed text without control characters. */
    website?: string | null | undefined;
    /** The terms of the business. It must be well-formed text without control characters. */
    terms_url?: string | null | undefined;
    /**
     * What the customer's bank statement shows. The payment page announces it; set the same name at
     * your payment provider. 5 to 22 characters: a-z, 0-9, spaces, .,&+/*- It must be well-formed
     * text without control characters.
     */
    statement_name?: string | null | undefined;
    /**
     * How to pay by transfer, as text with line breaks. It replaces FLORIN_PAYMENT_INSTRUCTIONS for
     * this account.
     */
    payment_instructions?: string | null | undefined;
}
export interface SetLogoBody {
    /**
     * The file in base64 (RFC 4648), with padding. It must be well-formed text without control
     * characters.
     */
    image: string;
}
export interface SetBankDetailsBody {
    /** The holder of the bank account. It must be well-formed text without control characters. */
    name: string;
    /**
     * The IBAN, with or without spaces. Its check digits are verified. It must be well-formed text
     * without control characters.
     */
    iban?: string | undefined;
    /**
     * The BIC of the bank: 8 or 11 characters. Only with an IBAN. It must be well-formed text without
     * control characters.
     */
    bic?: string | undefined;
    /**
     * What identifies the bank account in countries without IBANs, in this order. Instead of an IBAN.
     */
    fields?: {
        /** What it is. It must be well-formed text without control characters. */
        label: string;
        /** The value. It must be well-formed text without control characters. */
        value: string;
    }[] | undefined;
}
export interface CreateInvitationBody {
    /** An email address. Comparison ignores case; the original spelling is stored. */
    email: string;
    /** member creates payments, payment requests and subscriptions; viewer only reads. */
    role: 'member' | 'viewer';
}
export interface ListInvitationsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface RevokeInvitationResponse {
    /** A summary for humans. */
    message: string;
    /** The id of the invitation. */
    id: string;
}
export interface GetStatementQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: a sequence number. Returns the lines after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: a sequence number. Returns the lines before it, which are newer. */
    ending_before?: string | undefined;
    /**
     * Only lines at or after this time. It must be an RFC 3339 date or time, such as 2026-01-31 or
     * 2026-01-31T09:30:00Z.
     */
    from?: string | undefined;
    /**
     * Only lines at or before this time. It must be an RFC 3339 date or time, such as 2026-01-31 or
     * 2026-01-31T09:30:00Z.
     */
    to?: string | undefined;
    /**
     * csv returns a file with all matching lines, regardless of limit. Amounts are decimal. Times are
     * in UTC and in the time zone of the account. customer_email is empty for an API key without the
     * scope payments:read.
     */
    format?: 'json' | 'csv' | undefined;
}
export interface GetJournalQuery {
    /** beancount, hledger, or a CSV file with one line for each posting. */
    format: 'beancount' | 'hledger' | 'csv';
    /**
     * Only postings at or after this time. Earlier ones become a balance. It must be an RFC 3339 date
     * or time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    from?: string | undefined;
    /**
     * Only postings at or before this time. It must be an RFC 3339 date or time, such as 2026-01-31
     * or 2026-01-31T09:30:00Z.
     */
    to?: string | undefined;
}
export interface ListEventsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only events of this type or family, such as transaction.succeeded or payment.*. */
    type?: EventFilter | undefined;
    /** Only events with a greater sequence, oldest first. */
    after?: number | undefined;
    /**
     * Only events about this object: the id of a transaction, payment request, subscription, dispute,
     * user, API key or the account.
     */
    object?: string | undefined;
}
export interface StreamEventsQuery {
    /** Only events of this type or family, such as transaction.succeeded or payment.*. */
    type?: EventFilter | undefined;
    /** Start after this sequence. */
    after?: number | undefined;
}
export interface ListRequestLogsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only responses of this status class. */
    status?: '2xx' | '3xx' | '4xx' | '5xx' | undefined;
    /** Only requests with this method. */
    method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD' | undefined;
    /**
     * Only requests whose path has this prefix, such as /v1/payments. It must be well-formed text
     * without control characters.
     */
    path?: string | undefined;
    /** A cursor: the id of an entry. Returns later entries, oldest first. */
    after?: string | undefined;
}
export interface CreateApiKeyBody {
    /** A name for the key. It must be well-formed text without control characters, and not blank. */
    name: string;
    /** The permissions of the key, such as payments:read, or * for all. */
    scopes: Scope[];
    /** Creates a platform key, for a server that acts for many accounts. */
    role?: 'platform' | undefined;
}
export interface ListApiKeysQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** For admins without Florin-Account: lists platform keys. */
    role?: 'platform' | undefined;
}
export interface GetVolumeQuery {
    /**
     * The start. A date means the start of that day in the time zone of the account. It must be an
     * RFC 3339 date or time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    from?: string | undefined;
    /**
     * The end, inclusive. A date means that whole day. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    to?: string | undefined;
    /** The length of a bucket. Weeks start on Monday. */
    interval?: 'hour' | 'day' | 'week' | 'month' | undefined;
}
export interface CreateTransactionBody {
    /** The account that the transaction belongs to. */
    account_id: string;
    /** The amount in minor units: 7500 is 75.00 in most currencies. */
    amount: number;
    /**
     * Must be the account's currency. It must be an active ISO 4217 currency code in upper case, such
     * as USD.
     */
    currency: string;
    type: 'payment' | 'credit' | 'refund';
    /**
     * Your reference. On a refund, the id of a succeeded payment (txn_…) or of a paid payment request
     * (pay_…) links the refund to it. The linked refunds of a payment cannot exceed its amount. It
     * must be well-formed text without control characters.
     */
    reference?: string | null | undefined;
    /**
     * Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 and
     * decimals with more than 17 significant digits as strings.
     */
    metadata?: Record<string, unknown> | null | undefined;
}
export interface ListTransactionsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only transactions with this status. */
    status?: 'pending' | 'succeeded' | 'failed' | 'canceled' | undefined;
    /** Only transactions of this type. */
    type?: 'payment' | 'credit' | 'refund' | undefined;
    /** Only refunds linked to the payment with this id. */
    refund_of?: string | undefined;
    /**
     * Only objects created at or after this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    date_from?: string | undefined;
    /**
     * Only objects created at or before this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    date_to?: string | undefined;
}
export interface UpdateTransactionBody {
    /**
     * Your reference. Changing it does not affect the link of a refund. It must be well-formed text
     * without control characters.
     */
    reference?: string | null | undefined;
    /**
     * Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 and
     * decimals with more than 17 significant digits as strings.
     */
    metadata?: Record<string, unknown> | null | undefined;
}
export interface CancelTransactionResponse {
    /** The id of the canceled transaction. */
    id: string;
    status: 'canceled';
    /** When the transaction was canceled. */
    canceled_at: string;
    /** A summary for humans. */
    message: string;
}
export interface SettleTransactionBody {
    outcome: 'succeeded' | 'failed';
    /** Stored in the audit log. It must be well-formed text without control characters. */
    reason?: string | undefined;
}
export interface CreateTransactionsBody {
    /** The account that the transactions belong to. */
    account_id: string;
    /** The transactions to create. */
    transactions: ({
        /** The amount in minor units: 7500 is 75.00 in most currencies. */
        amount: number;
        /**
         * Must be the account's currency. It must be an active ISO 4217 currency code in upper case,
         * such as USD.
         */
        currency: string;
        type: 'payment' | 'credit' | 'refund';
        /**
         * Your reference. On a refund, the id of a succeeded payment (txn_…) or of a paid payment
         * request (pay_…) links the refund to it. The linked refunds of a payment cannot exceed its
         * amount. It must be well-formed text without control characters.
         */
        reference?: string | null | undefined;
        /**
         * Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 and
         * decimals with more than 17 significant digits as strings.
         */
        metadata?: Record<string, unknown> | null | undefined;
    })[];
    /**
     * true: if one item is rejected, nothing is created and the error names the item. false: the
     * other items are created. A malformed item rejects the request either way.
     */
    atomic?: boolean | undefined;
}
export interface CreateTransactionsResponse {
    object: 'bulk_result';
    /** How many items were created. */
    created: number;
    /** How many items were rejected; always 0 if atomic is true. */
    failed: number;
    data: ({
        /** What happened to the item. */
        result: 'created' | 'failed';
        transaction?: ListedTransaction;
        error?: ErrorBody;
    })[];
}
export interface CountTransactionsQuery {
    /** Only transactions with this status. */
    status?: 'pending' | 'succeeded' | 'failed' | 'canceled' | undefined;
    /** Only transactions of this type. */
    type?: 'payment' | 'credit' | 'refund' | undefined;
    /** Only refunds linked to the payment with this id. */
    refund_of?: string | undefined;
    /**
     * Only objects created at or after this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    date_from?: string | undefined;
    /**
     * Only objects created at or before this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    date_to?: string | undefined;
}
export interface CountPaymentsQuery {
    /** Only payment requests with this status. */
    status?: 'pending' | 'succeeded' | 'failed' | 'canceled' | undefined;
    /** Only payment requests of this subscription. */
    subscription?: string | undefined;
    /**
     * Only payment requests whose customer_email or reference contains this text. Case is ignored. It
     * must be well-formed text without control characters.
     */
    search?: string | undefined;
    /** Only payment requests of this payment link. */
    payment_link?: string | undefined;
    /**
     * Only objects created at or after this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    date_from?: string | undefined;
    /**
     * Only objects created at or before this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    date_to?: string | undefined;
    /**
     * Only payment requests last changed at or after this time. With status=failed: failed since
     * then. It must be an RFC 3339 date or time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    updated_from?: string | undefined;
    /**
     * Only payment requests that expire at or after this time. It must be an RFC 3339 date or time,
     * such as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    expires_from?: string | undefined;
    /**
     * Only payment requests that expire at or before this time. It must be an RFC 3339 date or time,
     * such as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    expires_to?: string | undefined;
}
export interface CountSubscriptionsQuery {
    /** Only subscriptions with this status. */
    status?: 'active' | 'paused' | 'canceled' | undefined;
}
export interface CountWebhookDeliveriesQuery {
    /** Only deliveries to this webhook endpoint. */
    endpoint_id?: string | undefined;
    /** Only deliveries of this event. */
    event_id?: string | undefined;
    /**
     * Only deliveries with one of these statuses, separated by commas: pending, retrying, delivered,
     * failed or canceled.
     */
    status?: string | undefined;
}
export interface CountEventsQuery {
    /** Only events of this type or family, such as transaction.succeeded or payment.*. */
    type?: EventFilter | undefined;
}
export interface ListRefundsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface ListTransactionDetailsQuery {
    /** Up to 100 transaction ids, separated by commas. */
    transaction_ids: string;
}
export interface ListDisputesQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only disputes with this status. open: needs_response and under_review. */
    status?: 'needs_response' | 'under_review' | 'won' | 'lost' | 'open' | undefined;
    /** Only disputes of the payment with this id. */
    transaction_id?: string | undefined;
}
export interface ResolveDisputeBody {
    /** The decision, or under_review as if evidence had been submitted. */
    status: 'under_review' | 'won' | 'lost';
}
export interface CreateTransferBody {
    /** The account that gets the money. */
    to_account_id: string;
    /** The amount in minor units: 7500 is 75.00 in most currencies. */
    amount: number;
    /**
     * Must be the account's currency. It must be an active ISO 4217 currency code in upper case, such
     * as USD.
     */
    currency: string;
    /**
     * Your reference. All accounts of the transfer see it. It must be well-formed text without
     * control characters.
     */
    reference?: string | null | undefined;
    /**
     * The part of amount that fee_account_id gets, instead of the fee of the account. For admins and
     * platforms.
     */
    fee_amount?: number | undefined;
    /** The account that gets the fee. Required with a fee_amount above 0. */
    fee_account_id?: string | undefined;
}
export interface ListTransfersQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /**
     * Only transfers that the account has sent (outgoing), received (incoming), or got the fee of
     * (fee). Over all accounts, transfers are outgoing.
     */
    direction?: 'outgoing' | 'incoming' | 'fee' | undefined;
    /** Only transfers with this status. */
    status?: 'in_transit' | 'completed' | 'returned' | undefined;
}
export interface SetTransferFeeBody {
    /** The account that gets the fee, in the same currency. */
    fee_account_id: string;
    /** Hundredths of a percent of the amount: 200 is 2 %. Rounded down. */
    basis_points?: number | undefined;
    /** In minor units, added to the percentage. */
    fixed_amount?: number | undefined;
}
export interface CreatePayoutBody {
    /** The amount in minor units: 7500 is 75.00 in most currencies. */
    amount: number;
    /**
     * Must be the account's currency. It must be an active ISO 4217 currency code in upper case, such
     * as USD.
     */
    currency?: string | undefined;
    /**
     * The text on the bank statement of the recipient. The id of the payout follows it, and it is cut
     * so that both have at most 140 characters. It must be well-formed text without control
     * characters.
     */
    reference?: string | null | undefined;
}
export interface ListPayoutsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only payouts with this status. */
    status?: 'pending_approval' | 'approved' | 'in_transit' | 'paid' | 'failed' | 'canceled' | 'returned' | undefined;
}
export interface ResolvePayoutBody {
    /** The new status. */
    status: 'paid' | 'failed' | 'returned';
    /**
     * Why the bank rejected or returned it. It must be well-formed text without control characters.
     */
    reason?: string | null | undefined;
}
export interface ChangePayoutDestinationBody {
    /**
     * The name of the account holder, as at the bank. It must be well-formed text without control
     * characters, and not blank.
     */
    name: string;
    /**
     * The IBAN. Spaces and lower case are accepted. It must be well-formed text without control
     * characters.
     */
    iban: string;
    /** The BIC, for banks that require it. It must be well-formed text without control characters. */
    bic?: string | null | undefined;
}
export interface ChangePayoutLimitBody {
    /** In minor units. null: 0 in live mode, no limit in sandbox mode. */
    approval_limit: number | null;
}
export interface CreatePayoutExportBody {
    /**
     * The currency of the payouts. It must be an active ISO 4217 currency code in upper case, such as
     * USD.
     */
    currency: string;
    /**
     * The bank account of the operator, from which the bank transfers the money. Without it, the bank
     * account in the settings of the server.
     */
    debtor?: {
        /**
         * The name of the account holder, as at the bank. It must be well-formed text without control
         * characters, and not blank.
         */
        name: string;
        /**
         * The IBAN. Spaces and lower case are accepted. It must be well-formed text without control
         * characters.
         */
        iban: string;
        /**
         * The BIC, for banks that require it. It must be well-formed text without control characters.
         */
        bic?: string | null | undefined;
    } | undefined;
    /**
     * When the bank executes the transfers, YYYY-MM-DD, from today to a year from now. Today if
     * omitted. It must be well-formed text without control characters.
     */
    execute_on?: string | undefined;
    /** pain.001.001.09, or .03 for older banks. */
    version?: '09' | '03' | undefined;
}
export interface ListPayoutExportsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface ListBankStatementsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface ImportBankStatementQuery {
    /** The name of the column map. It must be well-formed text without control characters. */
    column_map?: string | undefined;
}
export interface ImportBankStatementResponse {
    object: 'list';
    data: BankStatement[];
    /** Always false. */
    has_more: boolean;
}
export interface ListBankEntriesQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only entries with this status. */
    status?: 'new' | 'open' | 'settling' | 'settled' | 'ignored' | undefined;
    /** Only entries that this statement had first. */
    statement_id?: string | undefined;
    /** Only entries that pay this payment request. */
    payment_id?: string | undefined;
}
export interface MatchBankEntryBody {
    /** The payment request. Or send one of the others. */
    payment_id?: string | undefined;
    /** The settlement of a payment provider. */
    settlement_id?: string | undefined;
    /** The payout. */
    payout_id?: string | undefined;
    /** The refund, which a payment file contains. */
    transaction_id?: string | undefined;
    /**
     * What happens to a late payment. The default is FLORIN_LATE_PAYMENTS. Required if the entry is
     * not complete.
     */
    late?: 'refund' | 'keep' | undefined;
    /** Why. Stored with the entry. It must be well-formed text without control characters. */
    note?: string | undefined;
}
export interface IgnoreBankEntryBody {
    /** Why. Stored with the entry. It must be well-formed text without control characters. */
    note?: string | undefined;
}
export interface SaveBankColumnMapBody {
    /** The name of the column map. It must be well-formed text without control characters. */
    name: string;
    /** How the columns of a CSV export are read. */
    column_map: {
        /**
         * The IBAN or number of the account, which most exports do not contain. It must be well-formed
         * text without control characters.
         */
        account: string;
        /** ISO 4217. It must be an active ISO 4217 currency code in upper case, such as USD. */
        currency: string;
        /** Between columns: a comma, a semicolon, a tab or a vertical bar. */
        delimiter: string;
        /** In amounts. */
        decimal_sign: ',' | '.';
        /**
         * YYYY or YY, MM and DD, with the signs between them. It must be well-formed text without
         * control characters.
         */
        date_format: string;
        /** auto: UTF-8 or Windows-1252. */
        encoding: 'auto' | 'utf-8' | 'windows-1252' | 'iso-8859-15' | 'utf-16le' | 'utf-16be';
        /** The number of lines before the header. */
        skipped_lines: number;
        /** The name of each column in the header, or its number from 1. */
        columns: {
            /** The booking date. */
            booked_on: string | number;
            /** The value date. */
            value_on?: string | number | undefined;
            /** The amount, with a sign or with direction. */
            amount?: string | number | undefined;
            /** The amount of credits, with debit instead of amount. */
            credit?: string | number | undefined;
            /** The amount of debits. */
            debit?: string | number | undefined;
            direction?: {
                /** The column that distinguishes credits from debits. */
                column: string | number;
                /** Its text of credits. It must be well-formed text without control characters. */
                credit: string;
                /** Its text of debits. It must be well-formed text without control characters. */
                debit: string;
            } | undefined;
            /** The currency, if entries have several. */
            currency?: string | number | undefined;
            /** The payer or payee. */
            counterparty_name?: string | number | undefined;
            /** The IBAN or number of the payer or payee. */
            counterparty_account?: string | number | undefined;
            /** The columns of the text that the payer wrote, joined in this order. */
            remittance?: (string | number)[] | undefined;
            /** The bank's reference of the entry. */
            bank_reference?: string | number | undefined;
            /** The end-to-end id. */
            end_to_end_id?: string | number | undefined;
            /** The bank's name of this kind of entry. */
            description?: string | number | undefined;
        };
    };
}
export interface DeleteBankColumnMapResponse {
    /** The name of the column map. It must be well-formed text without control characters. */
    name: string;
    deleted: true;
}
export interface ListSettlementsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** The payment provider. */
    provider?: 'stripe' | 'mollie' | undefined;
    /** paid when the provider has sent the money; failed if the bank returned it. */
    status?: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled' | undefined;
    /** Only settlements with this amount in minor units. */
    amount?: number | undefined;
    /**
     * Must be the account's currency. It must be an active ISO 4217 currency code in upper case, such
     * as USD.
     */
    currency?: string | undefined;
}
export interface ListSettlementEntriesQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface CreatePaymentBody {
    /** The account that requests the payment. */
    account_id: string;
    /** The amount in minor units: 7500 is 75.00 in most currencies. */
    amount: number;
    /**
     * Must be the account's currency. It must be an active ISO 4217 currency code in upper case, such
     * as USD.
     */
    currency: string;
    /** The email address of the customer. The link is sent here. */
    customer_email: string;
    /**
     * Your reference, shown to the customer. It must be well-formed text without control characters.
     */
    reference?: string | null | undefined;
    /**
     * Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 and
     * decimals with more than 17 significant digits as strings.
     */
    metadata?: Record<string, unknown> | null | undefined;
}
export interface ListPaymentsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only payment requests with this status. */
    status?: 'pending' | 'succeeded' | 'failed' | 'canceled' | undefined;
    /** Only payment requests of this subscription. */
    subscription?: string | undefined;
    /**
     * Only payment requests whose customer_email or reference contains this text. Case is ignored. It
     * must be well-formed text without control characters.
     */
    search?: string | undefined;
    /** Only payment requests of this payment link. */
    payment_link?: string | undefined;
    /**
     * Only objects created at or after this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    date_from?: string | undefined;
    /**
     * Only objects created at or before this time. It must be an RFC 3339 date or time, such as
     * 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    date_to?: string | undefined;
    /**
     * Only payment requests last changed at or after this time. With status=failed: failed since
     * then. It must be an RFC 3339 date or time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    updated_from?: string | undefined;
    /**
     * Only payment requests that expire at or after this time. It must be an RFC 3339 date or time,
     * such as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    expires_from?: string | undefined;
    /**
     * Only payment requests that expire at or before this time. It must be an RFC 3339 date or time,
     * such as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    expires_to?: string | undefined;
}
export interface UpdatePaymentBody {
    /**
     * Where the customer continues after the payment. Its origin must be a return origin of the
     * account. It must be well-formed text without control characters.
     */
    return_url?: string | null | undefined;
    /**
     * Where the customer goes back to without paying. Its origin must be a return origin of the
     * account. It must be well-formed text without control characters.
     */
    cancel_url?: string | null | undefined;
}
export interface GetPaymentStatusResponse {
    /** The id of the payment request. */
    id: string;
    /** pending until the customer pays. */
    status: 'pending' | 'succeeded' | 'failed' | 'canceled';
    /** The amount in minor units. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** Your reference, or null. */
    reference: string | null;
    /** When the payment request last changed. */
    updated_at: string;
}
export interface SettlePaymentBody {
    outcome: 'succeeded' | 'failed';
    /** Stored in the audit log. It must be well-formed text without control characters. */
    reason?: string | undefined;
}
export interface CreatePaymentRequestBody {
    /** The account that requests the payment. */
    account_id: string;
    /** The amount in minor units: 7500 is 75.00 in most currencies. */
    amount: number;
    /**
     * Must be the account's currency. It must be an active ISO 4217 currency code in upper case, such
     * as USD.
     */
    currency: string;
    /** The email address of the customer. The link is sent here. */
    customer_email: string;
    /**
     * Your reference, shown to the customer. It must be well-formed text without control characters.
     */
    reference?: string | null | undefined;
    /**
     * Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 and
     * decimals with more than 17 significant digits as strings.
     */
    metadata?: Record<string, unknown> | null | undefined;
    /**
     * When the request expires: an hour to 31 days ahead. A date means the end of that day in the
     * account's time zone. Default: 30 days after creation. It must be an RFC 3339 date or time, such
     * as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    expires_at?: string | null | undefined;
    /**
     * A message to the customer, on the payment page and in emails. Plain text. It must be
     * well-formed text without control characters other than line feeds.
     */
    message?: string | null | undefined;
    /**
     * How many days before the expiry the customer gets a reminder by email; 0 for none. Default: 3,
     * or none if the request is not emailed or expires too soon.
     */
    reminder_days?: number | null | undefined;
    /**
     * Whether the link is emailed to the customer now. With false, share payment_url yourself, or
     * email it later with POST /v1/payments/{payment_id}/send. Default: true.
     */
    email?: boolean | undefined;
}
export interface CreatePaymentLinkBody {
    /**
     * What the payer pays for. The reference of each payment request. It must be well-formed text
     * without control characters, and not blank.
     */
    title: string;
    /** The amount in minor units. Omit it to let the payer choose. */
    amount?: number | null | undefined;
    /** The smallest amount that a payer can choose. */
    amount_min?: number | null | undefined;
    /** The largest amount that a payer can choose. */
    amount_max?: number | null | undefined;
    /** The amount that the form starts with. */
    amount_suggested?: number | null | undefined;
    /** How many payments the link accepts. null: any number. */
    max_uses?: number | null | undefined;
    /**
     * When the link stops accepting payments, in the future. A date means the end of that day in the
     * account's time zone. null: never. It must be an RFC 3339 date or time, such as 2026-01-31 or
     * 2026-01-31T09:30:00Z.
     */
    expires_at?: string | null | undefined;
    /** Whether the link accepts payments. */
    active?: boolean | undefined;
    /**
     * Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 and
     * decimals with more than 17 significant digits as strings.
     */
    metadata?: Record<string, unknown> | null | undefined;
}
export interface ListPaymentLinksQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface UpdatePaymentLinkBody {
    /**
     * What the payer pays for. The reference of each payment request. It must be well-formed text
     * without control characters, and not blank.
     */
    title?: string | undefined;
    /** How many payments the link accepts. null: any number. */
    max_uses?: number | null | undefined;
    /**
     * When the link stops accepting payments, in the future. A date means the end of that day in the
     * account's time zone. null: never. It must be an RFC 3339 date or time, such as 2026-01-31 or
     * 2026-01-31T09:30:00Z.
     */
    expires_at?: string | null | undefined;
    /** Whether the link accepts payments. */
    active?: boolean | undefined;
    /**
     * Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 and
     * decimals with more than 17 significant digits as strings.
     */
    metadata?: Record<string, unknown> | null | undefined;
}
export interface ListDocumentsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only documents of this type. */
    type?: 'receipt' | 'credit_note' | undefined;
}
export interface GetDocumentQuery {
    /** pdf returns the document as a file. */
    format?: 'json' | 'pdf' | undefined;
    /** The language of the file. Without it, the language of the account is used. */
    lang?: 'en' | 'de' | 'es' | 'fr' | 'ja' | 'pt' | undefined;
}
export interface GetReceiptQuery {
    /** pdf returns the document as a file. */
    format?: 'json' | 'pdf' | undefined;
    /** The language of the file. Without it, the language of the account is used. */
    lang?: 'en' | 'de' | 'es' | 'fr' | 'ja' | 'pt' | undefined;
}
export interface GetCreditNoteQuery {
    /** pdf returns the document as a file. */
    format?: 'json' | 'pdf' | undefined;
    /** The language of the file. Without it, the language of the account is used. */
    lang?: 'en' | 'de' | 'es' | 'fr' | 'ja' | 'pt' | undefined;
}
export interface AddReturnOriginBody {
    /**
     * An https origin: scheme, host and port, without a path. A sandbox also accepts http origins of
     * loopback hosts, such as http://localhost:3000. It must be well-formed text without control
     * characters.
     */
    origin: string;
}
export interface DeleteReturnOriginQuery {
    /**
     * An https origin: scheme, host and port, without a path. A sandbox also accepts http origins of
     * loopback hosts, such as http://localhost:3000. It must be well-formed text without control
     * characters.
     */
    origin: string;
}
export interface CreateSubscriptionBody {
    /** The email address of the customer. The links are sent here. */
    customer_email: string;
    /** The amount in minor units: 7500 is 75.00 in most currencies. */
    amount: number;
    /**
     * Must be the account's currency. It must be an active ISO 4217 currency code in upper case, such
     * as USD.
     */
    currency: string;
    /** The unit of the billing period, in the time zone of the account. */
    interval: 'day' | 'week' | 'month' | 'year';
    /** The number of units in a billing period. A period is at most three years. */
    interval_count?: number | undefined;
    /**
     * Your reference, shown to the customer on every payment request. It must be well-formed text
     * without control characters.
     */
    reference?: string | null | undefined;
    /**
     * Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 and
     * decimals with more than 17 significant digits as strings.
     */
    metadata?: Record<string, unknown> | null | undefined;
}
export interface ListSubscriptionsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only subscriptions with this status. */
    status?: 'active' | 'paused' | 'canceled' | undefined;
}
export interface UpdateSubscriptionBody {
    /** A paused subscription creates no payment requests until it is active again. */
    status?: 'active' | 'paused' | undefined;
    /**
     * Your reference, shown to the customer on every payment request. It must be well-formed text
     * without control characters.
     */
    reference?: string | null | undefined;
    /**
     * Up to 50 custom keys with any JSON value, 16 KiB in total. Send integers beyond 2^53 − 1 and
     * decimals with more than 17 significant digits as strings.
     */
    metadata?: Record<string, unknown> | null | undefined;
}
export interface ListCustomersQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /**
     * Only customers whose email starts with this text. Case is ignored. It must be well-formed text
     * without control characters.
     */
    email?: string | undefined;
}
export interface ListCustomerPaymentsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface ListCustomerSubscriptionsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
}
export interface ExportCustomerResponse {
    /** When the data was read. */
    exported_at: string;
    customer: Customer;
    /** The payment requests. */
    payments: Payment[];
    /** The card attempts, with the payment_id of each. */
    attempts: Record<string, unknown>[];
    /** The charges that paid, with the brand and last digits of the card. */
    charges: Record<string, unknown>[];
    /** The disputes of the payments. */
    disputes: Dispute[];
    /** The subscriptions. */
    subscriptions: Subscription[];
    /** The emails to the customer, without their text. */
    emails: Record<string, unknown>[];
    /** false if the customer has more than 10,000 payment requests. */
    is_complete: boolean;
}
export interface EraseCustomerBody {
    /** The email of this customer, to confirm. Case is ignored. */
    confirm_email: string;
}
export interface AdvanceClockBody {
    /** The seconds to advance, at most ten years at once and 100 years in total. */
    seconds: number;
}
export interface AdvanceClockResponse {
    /** The new time. */
    now: string;
}
export interface CreateWebhookEndpointBody {
    /**
     * An https URL on the public internet. Redirects are not followed. A sandbox that listens on
     * loopback also accepts loopback URLs, including http. It must be well-formed text without
     * control characters.
     */
    url: string;
    /** The events to send: types such as payment.succeeded, payment.*, or *. */
    events: (EventFilter | '*')[];
}
export interface ListWebhookEndpointsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /**
     * failing: only enabled endpoints whose recent deliveries failed. disabled: only endpoints that
     * Florin disabled for that reason.
     */
    health?: 'failing' | 'disabled' | undefined;
}
export interface UpdateWebhookEndpointBody {
    /**
     * An https URL on the public internet. Redirects are not followed. A sandbox that listens on
     * loopback also accepts loopback URLs, including http. It must be well-formed text without
     * control characters.
     */
    url?: string | undefined;
    /** The events to send: types such as payment.succeeded, payment.*, or *. */
    events?: (EventFilter | '*')[] | undefined;
    /** Whether the endpoint receives events. */
    status?: 'enabled' | 'disabled' | undefined;
}
export interface RotateWebhookSecretBody {
    /** How long the old secret also signs. Default: one day. Maximum: one week. */
    overlap_seconds?: number | undefined;
}
export interface ReplayWebhookEventsBody {
    /**
     * Events at or after this time. Send either since or after. It must be an RFC 3339 date or time,
     * such as 2026-01-31 or 2026-01-31T09:30:00Z.
     */
    since?: string | undefined;
    /** Events with a greater sequence. Send either since or after. */
    after?: number | undefined;
}
export interface ListWebhookDeliveriesQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only deliveries to this webhook endpoint. */
    endpoint_id?: string | undefined;
    /** Only deliveries of this event. */
    event_id?: string | undefined;
    /**
     * Only deliveries with one of these statuses, separated by commas: pending, retrying, delivered,
     * failed or canceled.
     */
    status?: string | undefined;
}
export interface ListEmailsQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /** Only emails in this state. */
    state?: 'queued' | 'sent' | 'failed' | 'suppressed' | 'stored' | undefined;
    /** Only emails to this address. */
    to?: string | undefined;
    /** Only emails about this payment request. */
    payment?: string | undefined;
}
export interface ListAuditLogQuery {
    /** The maximum number of entries. Values over 100 are treated as 100. */
    limit?: number | undefined;
    /** A cursor: the id of an entry. Returns the entries after it, going back in time. */
    starting_after?: string | undefined;
    /** A cursor: the id of an entry. Returns the entries before it, which are newer. */
    ending_before?: string | undefined;
    /**
     * Only actions with this prefix: webhook_endpoint., transaction.settled. It must be well-formed
     * text without control characters.
     */
    action?: string | undefined;
    /** Only actions by this user or API key. */
    actor?: string | undefined;
    /** Only actions on this object. */
    object?: string | undefined;
    /**
     * Only actions at or after this time. It must be an RFC 3339 date or time, such as 2026-01-31 or
     * 2026-01-31T09:30:00Z.
     */
    date_from?: string | undefined;
    /**
     * Only actions at or before this time. It must be an RFC 3339 date or time, such as 2026-01-31 or
     * 2026-01-31T09:30:00Z.
     */
    date_to?: string | undefined;
}
export interface SearchQuery {
    /**
     * An id, part of an email, name or reference, or an amount. It must be well-formed text without
     * control characters.
     */
    q: string;
}
export interface SearchResponse {
    data: ({
        /** The kind of object. */
        kind: 'customer' | 'payment' | 'transaction' | 'subscription' | 'dispute' | 'transfer' | 'payout' | 'payment_link' | 'account' | 'user' | 'event' | 'webhook_endpoint' | 'webhook_delivery' | 'api_key' | 'bank_entry' | 'settlement';
        /** The id of the object. */
        id: string;
        /** The account of the object, or null if it has none. */
        account_id: string | null;
        /** The reference, email, name or id of the object, for lists. */
        title: string;
        /** The amount in minor units, or null if the object has none. */
        amount: number | null;
        /** The currency of the amount. */
        currency: string | null;
        /** The status, or null. */
        status: string | null;
        /** The email of the customer, or null. */
        customer_email: string | null;
        /** When the object was created. */
        created_at: string;
    })[];
    /**
     * null if all objects were compared. Otherwise older objects were not: search for a full id or
     * email instead.
     */
    searched_from: string | null;
}
export interface IsAliveResponse {
    status: string;
}
export interface IsReadyResponse {
    status: string;
}
