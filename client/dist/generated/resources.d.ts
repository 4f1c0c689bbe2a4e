import type { AccountCallOptions, AccountWriteOptions, CallOptions, WriteOptions } from '../call.ts';
import type { Transport } from '../transport.ts';
import type { FileContent } from '../file-content.ts';
import type { FlorinEvent } from '../florin-event.ts';
import type { CursorPage, NumberedPage, PageRequest } from '../pages.ts';
import type { AddPasskeyBody, AddReturnOriginBody, AdvanceClockBody, AdvanceClockResponse, CancelTransactionResponse, ChangePayoutDestinationBody, ChangePayoutLimitBody, ChangeUserRoleBody, CloseAccountResponse, ConfirmTotpBody, CountEventsQuery, CountPaymentsQuery, CountSubscriptionsQuery, CountTransactionsQuery, CountWebhookDeliveriesQuery, CreateAccountBody, CreateApiKeyBody, CreateInvitationBody, CreatePaymentBody, CreatePaymentLinkBody, CreatePaymentRequestBody, CreatePayoutBody, CreatePayoutExportBody, CreateSubscriptionBody, CreateTransactionBody, CreateTransactionsBody, CreateTransactionsResponse, CreateTransferBody, CreateUserBody, CreateWebhookEndpointBody, DeleteBankColumnMapResponse, DeleteFactorResponse, DeleteReturnOriginQuery, DeleteUserResponse, EndSessionBody, EndSessionResponse, EraseCustomerBody, ExportCustomerResponse, GetCreditNoteQuery, GetDocumentQuery, GetJournalQuery, GetPasskeyLoginOptionsResponse, GetPasskeyOptionsResponse, GetPaymentStatusResponse, GetReceiptQuery, GetStatementQuery, GetVolumeQuery, IgnoreBankEntryBody, ImportBankStatementQuery, ImportBankStatementResponse, IsAliveResponse, IsReadyResponse, ListAccountUsersQuery, ListAccountsPagination, ListAccountsQuery, ListApiKeysQuery, ListAuditLogQuery, ListBankEntriesQuery, ListBankStatementsQuery, ListCustomerPaymentsQuery, ListCustomerSubscriptionsQuery, ListCustomersQuery, ListDisputesQuery, ListDocumentsQuery, ListEmailsQuery, ListEventsQuery, ListInvitationsQuery, ListPaymentLinksQuery, ListPaymentsQuery, ListPayoutExportsQuery, ListPayoutsQuery, ListRefundsQuery, ListRequestLogsQuery, ListSessionsQuery, ListSettlementEntriesQuery, ListSettlementsQuery, ListSubscriptionsQuery, ListTransactionDetailsQuery, ListTransactionsQuery, ListTransfersQuery, ListUserDetailsQuery, ListUsersPagination, ListUsersQuery, ListWebhookDeliveriesQuery, ListWebhookEndpointsQuery, LogInBody, LogInResponse, LogInWithPasskeyBody, LogInWithPasskeyResponse, MatchBankEntryBody, RefreshBody, RefreshResponse, ReplayWebhookEventsBody, RequestPasswordResetBody, RequestPasswordResetResponse, ResolveDisputeBody, ResolvePayoutBody, RevokeInvitationResponse, RotateWebhookSecretBody, SaveBankColumnMapBody, SearchQuery, SearchResponse, SetBankDetailsBody, SetLogoBody, SetTransferFeeBody, SettlePaymentBody, SettleTransactionBody, StartTotpBody, StreamEventsQuery, UnlinkIdentityResponse, UpdateAccountBody, UpdateAccountStatusBody, UpdateBrandingBody, UpdateNotificationsBody, UpdatePaymentBody, UpdatePaymentLinkBody, UpdateSubscriptionBody, UpdateTransactionBody, UpdateUserBody, UpdateWebhookEndpointBody } from './requests.ts';
import type { Account, AccountUser, AddedFactor, ApiKey, Attention, AuditEntry, Balance, BalanceEntry, BankColumnMap, BankDetails, BankEntry, BankStatement, Branding, Charge, CreatedApiKey, CreatedPayment, Customer, Dispute, Document, Email, FactorList, Health, Identity, Invitation, ListCount, ListedAccount, ListedEmail, ListedTransaction, ListedWebhookDelivery, Notifications, Overview, Payment, PaymentAttempt, PaymentEmail, PaymentLink, PaymentRequest, PaymentReturnUrls, Payout, PayoutExport, PayoutSettings, Posting, Processor, Reconciliation, RecoveryCodes, RequestLogEntry, ReturnOrigin, Session, Settlement, StartedTotp, StatementLine, Subscription, Transaction, TransactionDetails, Transfer, TransferFee, User, UserDetails, Volume, WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from './schemas.ts';
export declare class SessionsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Log in: `POST /v1/auth/login`.
     *
     * Exchanges an email and a password for an access token and a refresh token. Ten wrong passwords
     * for one email from one address lock that combination for 15 minutes. If the user has two-factor
     * authentication, a password alone is 401 with `WWW-Authenticate: Bearer
     * error="insufficient_user_authentication"`; add `code`.
     */
    logIn(body: LogInBody, options?: CallOptions): Promise<LogInResponse>;
    /**
     * Refresh tokens: `POST /v1/auth/refresh`.
     *
     * Send the refresh token in the Authorization header, in the body, or in both. It can be used
     * once. A second use ends the session.
     */
    refresh(body?: RefreshBody, options?: CallOptions): Promise<RefreshResponse>;
    /**
     * End a session: `DELETE /v1/auth/session`.
     *
     * Ends the current session, or another one of your sessions by its id.
     */
    end(body?: EndSessionBody, options?: WriteOptions): Promise<EndSessionResponse>;
    /**
     * List your sessions: `GET /v1/auth/sessions`.
     *
     * Returns your active sessions, newest first.
     */
    list(query?: ListSessionsQuery, options?: CallOptions): PageRequest<CursorPage<Session>>;
    /**
     * Request a password reset: `POST /v1/auth/password_reset`.
     *
     * Sends an email with a link that sets a new password, once, within an hour. The response is the
     * same for every email, known or not. At most 5 links per hour are sent to one address.
     */
    requestPasswordReset(body: RequestPasswordResetBody, options?: CallOptions): Promise<RequestPasswordResetResponse>;
    /**
     * Start a login with a passkey: `POST /v1/auth/passkeys/options`.
     *
     * Returns the options for `navigator.credentials.get()`, in the JSON form of WebAuthn. They are
     * valid for 5 minutes and for one login, and do not depend on the user.
     */
    getPasskeyOptions(options?: CallOptions): Promise<GetPasskeyLoginOptionsResponse>;
    /**
     * Log in with a passkey: `POST /v1/auth/passkeys/verify`.
     *
     * Exchanges the response of `navigator.credentials.get()`, in the JSON form of WebAuthn, for
     * tokens. A passkey verifies its user, so it needs neither a password nor a code.
     */
    logInWithPasskey(body: LogInWithPasskeyBody, options?: CallOptions): Promise<LogInWithPasskeyResponse>;
}
export declare class FactorsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List your factors: `GET /v1/user/factors`.
     *
     * Returns your authenticator app and your passkeys, oldest first. With at least one, a password
     * alone no longer logs in.
     */
    list(options?: CallOptions): Promise<FactorList>;
    /**
     * Start to add an authenticator app: `POST /v1/user/factors/totp`.
     *
     * Returns a secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). Confirm it
     * with a code of the app; until then nothing changes. Requires a login within the last 10
     * minutes.
     */
    startTotp(body?: StartTotpBody, options?: WriteOptions): Promise<StartedTotp>;
    /**
     * Confirm an authenticator app: `POST /v1/user/factors/totp/confirm`.
     *
     * From now on a login needs a code. The first factor returns recovery codes and ends your other
     * sessions.
     */
    confirmTotp(body: ConfirmTotpBody, options?: WriteOptions): Promise<AddedFactor>;
    /**
     * Delete a factor: `DELETE /v1/user/factors/{factor_id}`.
     *
     * Without the last factor, recovery codes are deleted and a password logs in.
     */
    delete(factor_id: string, options?: WriteOptions): Promise<DeleteFactorResponse>;
    /**
     * Replace your recovery codes: `POST /v1/user/recovery_codes`.
     *
     * Returns ten new recovery codes. The old ones stop working.
     */
    createRecoveryCodes(options?: WriteOptions): Promise<RecoveryCodes>;
    /**
     * Start to add a passkey: `POST /v1/user/factors/passkeys/options`.
     *
     * Returns the options for `navigator.credentials.create()`, in the JSON form of WebAuthn. They
     * are valid for 5 minutes. Requires a login within the last 10 minutes.
     */
    getPasskeyOptions(options?: WriteOptions): Promise<GetPasskeyOptionsResponse>;
    /**
     * Add a passkey: `POST /v1/user/factors/passkeys`.
     *
     * Takes the response of `navigator.credentials.create()`, in the JSON form of WebAuthn. The first
     * factor returns recovery codes and ends your other sessions.
     */
    addPasskey(body: AddPasskeyBody, options?: WriteOptions): Promise<AddedFactor>;
}
export declare class IdentitiesCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List your linked logins: `GET /v1/user/identities`.
     *
     * Returns the logins at an OpenID Connect provider that are linked to you, newest first.
     */
    list(options?: CallOptions): PageRequest<CursorPage<Identity>>;
    /**
     * Unlink a login: `DELETE /v1/user/identities/{identity_id}`.
     *
     * Removes the link to a login at an OpenID Connect provider. Sessions stay active. The next login
     * with it asks for your password again.
     */
    unlink(identity_id: string, options?: WriteOptions): Promise<UnlinkIdentityResponse>;
}
export declare class UsersCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List users: `GET /v1/users`.
     *
     * For admins and platform users. Returns all users, oldest first.
     *
     * A platform key needs the scope `users:read`.
     *
     * Do not remove entries while you iterate: later entries move to earlier pages and are skipped.
     * Collect the entries first, then remove them.
     */
    list(query?: ListUsersQuery, options?: CallOptions): PageRequest<NumberedPage<User, ListUsersPagination>>;
    /**
     * Create a user: `POST /v1/users`.
     *
     * Without a token: signs up a user without an account, in live mode with the status pending until
     * a link in an email is used. With the token of an owner: creates a member of that account. With
     * the token of an admin or platform user: creates a user without an account or, with
     * Florin-Account, a member of that account. For the latter a platform key needs the scope
     * `members:write` instead. Revoking the key suspends the users that it created.
     *
     * A platform key needs the scope `users:write`.
     */
    create(body: CreateUserBody, options?: AccountWriteOptions): Promise<User>;
    /**
     * List roles and accounts of users: `GET /v1/user_details`.
     *
     * For the users of one page, returns the role and the account of each. The order follows the ids;
     * users that do not exist are left out. For admins and platform users.
     *
     * A platform key needs the scope `users:read`.
     */
    listDetails(query: ListUserDetailsQuery, options?: CallOptions): PageRequest<CursorPage<UserDetails>>;
    /**
     * Retrieve a user: `GET /v1/users/{user_id}`.
     *
     * Users can retrieve themselves, owners the users of their account, admins and platforms any
     * user.
     *
     * A platform key needs the scope `users:read`.
     */
    get(user_id: string, options?: CallOptions): Promise<User>;
    /**
     * Update a user: `PATCH /v1/users/{user_id}`.
     *
     * Changes the fields sent. Admins may change the name and password of any user, owners those of
     * their account's users, other users their own. Admins may change the status of other users,
     * owners that of their account's members. A new password ends the user's other sessions, or all
     * of them if another user sets it. A status other than active ends all sessions.
     */
    update(user_id: string, body: UpdateUserBody, options?: WriteOptions): Promise<User>;
    /**
     * Delete a user: `DELETE /v1/users/{user_id}`.
     *
     * Permanently deletes the user and ends all of their sessions.
     */
    delete(user_id: string, options?: WriteOptions): Promise<DeleteUserResponse>;
    /**
     * Retrieve your notification settings: `GET /v1/user/notifications`.
     *
     * Returns which emails you get.
     */
    getNotifications(options?: CallOptions): Promise<Notifications>;
    /**
     * Change your notification settings: `PATCH /v1/user/notifications`.
     *
     * Turns the emails on or off that are sent. Others keep their setting.
     */
    updateNotifications(body: UpdateNotificationsBody, options?: WriteOptions): Promise<Notifications>;
}
export declare class AccountsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Open an account: `POST /v1/accounts`.
     *
     * Opens an account and creates its owner, a user with this email and password. With the token of
     * a user without an account, and that user's email and password, that user becomes the owner.
     * Without a token in live mode, the owner is pending and cannot log in until a link in an email
     * is used; a sign-up that is not confirmed is deleted after 24 hours.
     *
     * A platform key needs the scope `accounts:write`.
     */
    create(body: CreateAccountBody, options?: WriteOptions): Promise<Account>;
    /**
     * List accounts: `GET /v1/accounts`.
     *
     * For admins and platform users. Returns all accounts, oldest first.
     *
     * A platform key needs the scope `accounts:read`.
     *
     * Do not remove entries while you iterate: later entries move to earlier pages and are skipped.
     * Collect the entries first, then remove them.
     */
    list(query?: ListAccountsQuery, options?: CallOptions): PageRequest<NumberedPage<ListedAccount, ListAccountsPagination>>;
    /**
     * Retrieve any account: `GET /v1/accounts/{account_id}`.
     *
     * For admins and platform users. Returns the account with this id.
     *
     * A platform key needs the scope `accounts:read`.
     */
    get(account_id: string, options?: CallOptions): Promise<Account>;
    /**
     * Update the status of an account: `PATCH /v1/accounts/{account_id}`.
     *
     * For admins. To close an account, use DELETE /v1/account.
     */
    update(account_id: string, body: UpdateAccountStatusBody, options?: WriteOptions): Promise<Account>;
    /**
     * Retrieve the overview of all accounts: `GET /v1/overview`.
     *
     * Returns volume, failures and new accounts of the last 30 days in UTC, with the 30 days before,
     * and the newest accounts. For admins and platform users.
     */
    getOverview(options?: CallOptions): Promise<Overview>;
}
export declare class AccountCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Retrieve your account: `GET /v1/account`.
     *
     * Returns your account. Admins and platform users name it in Florin-Account.
     *
     * An API key needs the scope `accounts:read`.
     */
    get(options?: AccountCallOptions): Promise<Account>;
    /**
     * Update your account: `PATCH /v1/account`.
     *
     * Changes the fields sent. The email is also the owner's login email. In sandbox mode both change
     * immediately. In live mode the response still has the old email: Florin sends a link to the new
     * address, valid for 24 hours, and changes the email when the link is confirmed. The currency is
     * fixed after the first transaction, payment request or subscription.
     */
    update(body: UpdateAccountBody, options?: AccountWriteOptions): Promise<Account>;
    /**
     * Close your account: `DELETE /v1/account`.
     *
     * Closes the account permanently: its tokens are revoked, its users are deleted, and everything
     * pending is canceled. Takes effect at once; events for large accounts follow within seconds, and
     * account.closed is the last one.
     */
    close(options?: AccountWriteOptions): Promise<CloseAccountResponse>;
    /**
     * List users of your account: `GET /v1/account/users`.
     *
     * Returns the owner and the members with their roles, newest first.
     *
     * A platform key needs the scope `users:read`.
     */
    listUsers(query?: ListAccountUsersQuery, options?: AccountCallOptions): PageRequest<CursorPage<AccountUser>>;
    /**
     * Change the role of a user of your account: `PATCH /v1/account/users/{user_id}`.
     *
     * For the owner, and for admins with Florin-Account. Makes a member read-only, or gives a
     * read-only member the role member again. If the role changes, all sessions of the user end.
     */
    changeUserRole(user_id: string, body: ChangeUserRoleBody, options?: AccountWriteOptions): Promise<AccountUser>;
    /**
     * Retrieve the branding of your account: `GET /v1/account/branding`.
     *
     * Returns the logo, color, contact and payment instructions that payers see. Values that were
     * never set are null.
     *
     * An API key needs the scope `accounts:read`.
     */
    getBranding(options?: AccountCallOptions): Promise<Branding>;
    /**
     * Change the branding of your account: `PATCH /v1/account/branding`.
     *
     * Changes the fields sent; null removes a value. Pages and emails show the change at once, also
     * for payment requests that were created before. Every change is in the audit log.
     */
    updateBranding(body: UpdateBrandingBody, options?: AccountWriteOptions): Promise<Branding>;
    /**
     * Upload the logo of your account: `POST /v1/account/logo`.
     *
     * Replaces the logo. PNG, JPEG or WebP, at most 64 KiB and 1024 × 1024 pixels, not animated. Its
     * public URL is in logo_url.
     */
    setLogo(body: SetLogoBody, options?: AccountWriteOptions): Promise<Branding>;
    /**
     * Delete the logo of your account: `DELETE /v1/account/logo`.
     *
     * Deletes the logo and earlier ones. Emails that were sent before show the name instead.
     */
    deleteLogo(options?: AccountWriteOptions): Promise<Branding>;
    /**
     * Retrieve the bank details of your account: `GET /v1/account/bank_details`.
     *
     * Returns the bank account that payers transfer to with the processor "bank_transfer". It belongs
     * to the operator of this server.
     *
     * An API key needs the scope `accounts:read`.
     */
    getBankDetails(options?: AccountCallOptions): Promise<BankDetails>;
    /**
     * Set the bank details of an account: `POST /v1/account/bank_details`.
     *
     * For admins who have logged in within the last 10 minutes. Replaces the bank account that payers
     * transfer to. Payment pages show it at once, also for payment requests that were created before.
     * Every change is in the audit log.
     */
    setBankDetails(body: SetBankDetailsBody, options?: AccountWriteOptions): Promise<BankDetails>;
    /**
     * Delete the bank details of an account: `DELETE /v1/account/bank_details`.
     *
     * For admins who have logged in within the last 10 minutes. Payers then transfer to the bank
     * account of the server (FLORIN_BANK_IBAN).
     */
    deleteBankDetails(options?: AccountWriteOptions): Promise<BankDetails>;
    /**
     * Invite a person to your account: `POST /v1/account/invitations`.
     *
     * For the owner, and for admins with Florin-Account. Sends an email with a link that works once,
     * for 7 days. The person chooses a password and becomes a user of the account. Another invitation
     * of the same email replaces the first one.
     */
    createInvitation(body: CreateInvitationBody, options?: AccountWriteOptions): Promise<Invitation>;
    /**
     * List open invitations: `GET /v1/account/invitations`.
     *
     * Returns the invitations that were neither accepted nor expired, newest first.
     */
    listInvitations(query?: ListInvitationsQuery, options?: AccountCallOptions): PageRequest<CursorPage<Invitation>>;
    /**
     * Revoke an invitation: `DELETE /v1/account/invitations/{invitation_id}`.
     *
     * The link stops working immediately.
     */
    revokeInvitation(invitation_id: string, options?: AccountWriteOptions): Promise<RevokeInvitationResponse>;
    /**
     * Retrieve the balance: `GET /v1/account/balance`.
     *
     * Returns the balance of the account: available for refunds, incoming from pending payments and
     * credits, held for pending refunds and open payouts, and owed after fees or disputes that it did
     * not cover.
     *
     * An API key needs the scope `balance:read`.
     */
    getBalance(options?: AccountCallOptions): Promise<Balance>;
    /**
     * List statement lines: `GET /v1/account/statement`.
     *
     * Returns one line per change of the available balance, newest first, with the resulting balance.
     * Lines never change, except that status and reference are the current ones of the transaction.
     *
     * An API key needs the scope `balance:read`.
     */
    listStatement(query?: Omit<GetStatementQuery, 'format'>, options?: AccountCallOptions): PageRequest<CursorPage<StatementLine>>;
    /**
     * List statement lines: `GET /v1/account/statement`.
     *
     * Returns one line per change of the available balance, newest first, with the resulting balance.
     * Lines never change, except that status and reference are the current ones of the transaction.
     *
     * An API key needs the scope `balance:read`.
     */
    getStatementCsv(query?: Omit<GetStatementQuery, 'format'>, options?: AccountCallOptions): Promise<string>;
    /**
     * Export a journal for accounting tools: `GET /v1/account/journal`.
     *
     * Returns every posting of a period as a file, oldest first, with one account for each part of
     * the balance and for each source of money. Files for beancount and hledger repeat the stored
     * balances as assertions, so these tools check that the postings add up. Dates are in the time
     * zone of the account. customer_email is left out for an API key without the scope payments:read.
     *
     * An API key needs the scope `balance:read`.
     */
    getJournal(query: GetJournalQuery, options?: AccountCallOptions): Promise<string>;
    /**
     * Retrieve volume: `GET /v1/account/volume`.
     *
     * Returns the volume per hour, day, week or month in the account's time zone, with totals and a
     * comparison with the preceding period. A transaction counts when it was created. The default
     * period is today and the 29 days before. At most 400 buckets.
     *
     * An API key needs the scope `balance:read`.
     */
    getVolume(query?: GetVolumeQuery, options?: AccountCallOptions): Promise<Volume>;
    /**
     * Retrieve attention report: `GET /v1/account/attention`.
     *
     * Returns what needs attention: failed or long-pending transactions, failed or expiring payment
     * requests, and failing webhook endpoints. Each has the count, the first ids and the request that
     * lists all.
     *
     * An API key needs the scope `balance:read`.
     */
    getAttention(options?: AccountCallOptions): Promise<Attention>;
    /**
     * Retrieve the transfer fee of an account: `GET /v1/account/transfer_fee`.
     *
     * Returns the fee of transfers from the account, which the platform sets.
     *
     * An API key needs the scope `transfers:read`.
     */
    getTransferFee(options?: AccountCallOptions): Promise<TransferFee>;
    /**
     * Set the transfer fee of an account: `POST /v1/account/transfer_fee`.
     *
     * Replaces the fee of transfers from the account, for admins and platforms. Transfers that were
     * created before keep their fee. Every change is in the audit log.
     *
     * A platform key needs the scope `transfers:write`.
     */
    setTransferFee(body: SetTransferFeeBody, options?: AccountWriteOptions): Promise<TransferFee>;
    /**
     * Delete the transfer fee of an account: `DELETE /v1/account/transfer_fee`.
     *
     * Transfers from the account have no fee from now on.
     *
     * A platform key needs the scope `transfers:write`.
     */
    deleteTransferFee(options?: AccountWriteOptions): Promise<TransferFee>;
    /**
     * Retrieve the payout settings: `GET /v1/account/payout_settings`.
     *
     * Returns the payout destination of the account, and when payouts need approval.
     *
     * An API key needs the scope `payouts:read`.
     */
    getPayoutSettings(options?: AccountCallOptions): Promise<PayoutSettings>;
    /**
     * Change the payout destination: `PATCH /v1/account/payout_destination`.
     *
     * Sets the bank account for new payouts. Needs a login within the last 10 minutes. The owner gets
     * an email, and the next payout needs approval. Earlier payouts keep their destination.
     */
    changePayoutDestination(body: ChangePayoutDestinationBody, options?: AccountWriteOptions): Promise<PayoutSettings>;
    /**
     * Change the limit of payouts without approval: `PATCH /v1/account/payout_limit`.
     *
     * Sets up to which total within 24 hours payouts of the account need no approval. For admins who
     * have logged in within the last 10 minutes.
     */
    changePayoutLimit(body: ChangePayoutLimitBody, options?: AccountWriteOptions): Promise<PayoutSettings>;
    /**
     * List return origins: `GET /v1/account/return_origins`.
     *
     * Returns the origins to which the payment page may send customers back, sorted.
     */
    listReturnOrigins(options?: AccountCallOptions): PageRequest<CursorPage<ReturnOrigin>>;
    /**
     * Add a return origin: `POST /v1/account/return_origins`.
     *
     * Allows return_url and cancel_url of payment requests to have this origin. Adding an origin
     * again has no effect. An account can have at most 20 origins.
     */
    addReturnOrigin(body: AddReturnOriginBody, options?: AccountWriteOptions): Promise<ReturnOrigin>;
    /**
     * Delete a return origin: `DELETE /v1/account/return_origins`.
     *
     * The payment page stops linking to this origin at once, also for payment requests whose URLs
     * were set before.
     */
    deleteReturnOrigin(query: DeleteReturnOriginQuery, options?: AccountWriteOptions): Promise<ReturnOrigin>;
}
export declare class EventsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List events: `GET /v1/events`.
     *
     * Returns the events of the account in the last 90 days, newest first. With after: the events
     * after that sequence, oldest first, so that none is missed. Events about objects that the caller
     * may not list are left out; otherwise sequences have no gaps. An API key needs the read scope of
     * an object to see its events: transactions:read for transaction.*.
     *
     * An API key needs the scope `events:read`.
     */
    list(query?: ListEventsQuery, options?: AccountCallOptions): PageRequest<CursorPage<FlorinEvent>>;
    /**
     * Retrieve an event: `GET /v1/events/{event_id}`.
     *
     * Returns an event of your account, or of the account in Florin-Account.
     *
     * An API key needs the scope `events:read`.
     */
    get(event_id: string, options?: AccountCallOptions): Promise<FlorinEvent>;
    /**
     * Stream events: `GET /v1/events/stream`.
     *
     * Sends events as server-sent events with their sequence as id. The stream starts with the next
     * event, or after the sequence in Last-Event-ID, which browsers send when they reconnect, or in
     * after. It ends when the token expires or is revoked, when the account is closed, and when the
     * server stops. account.closed is the last event of an account and is sent regardless of type.
     * Without events, a heartbeat is sent every 15 seconds. An id without data is not an event but
     * updates the position: it is sent first, and as the heartbeat when type filters events out.
     *
     * An API key needs the scope `events:read`.
     */
    stream(query?: StreamEventsQuery, options?: AccountCallOptions): AsyncGenerator<FlorinEvent, void, undefined>;
    /**
     * Count events: `GET /v1/list_counts/events`.
     *
     * Returns the number of entries in the list of one account with these filters, up to 10,000.
     * is_exact is false when there are more.
     *
     * An API key needs the scope `events:read`.
     */
    count(query?: CountEventsQuery, options?: AccountCallOptions): Promise<ListCount>;
}
export declare class RequestLogsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List requests: `GET /v1/request_logs`.
     *
     * Returns the API requests made for the account in the last seven days, newest first. With after:
     * the entries after that one, oldest first. Entries appear after half a second, and under load
     * only a sample is stored. Bodies are stored in sandbox mode only, without secrets, and only for
     * operations that the account's owner, members and keys may all call.
     *
     * An API key needs the scope `request_logs:read`.
     */
    list(query?: ListRequestLogsQuery, options?: AccountCallOptions): PageRequest<CursorPage<RequestLogEntry>>;
}
export declare class ApiKeysCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Create an API key: `POST /v1/api_keys`.
     *
     * For the owner of an account, or an admin with Florin-Account. The response is the only place
     * where the key is shown. Admins create a platform key with role and no header.
     */
    create(body: CreateApiKeyBody, options?: AccountWriteOptions): Promise<CreatedApiKey>;
    /**
     * List API keys: `GET /v1/api_keys`.
     *
     * Returns API keys, newest first, including revoked ones, without their secrets.
     */
    list(query?: ListApiKeysQuery, options?: AccountCallOptions): PageRequest<CursorPage<ApiKey>>;
    /**
     * Revoke an API key: `DELETE /v1/api_keys/{key_id}`.
     *
     * The key stops working immediately. Revoking a revoked key has no effect.
     */
    revoke(key_id: string, options?: AccountWriteOptions): Promise<ApiKey>;
}
export declare class TransactionsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Create a transaction: `POST /v1/transactions`.
     *
     * Creates a payment, credit or refund. It is pending until the processor or an admin settles it.
     * A refund reserves its amount from the available balance at once.
     *
     * An API key needs the scope `transactions:write`.
     */
    create(body: CreateTransactionBody, options?: AccountWriteOptions): Promise<ListedTransaction>;
    /**
     * List transactions: `GET /v1/transactions`.
     *
     * Returns transactions, newest first. For admins and platform users: of all accounts, or of the
     * account in Florin-Account.
     *
     * An API key needs the scope `transactions:read`.
     */
    list(query?: ListTransactionsQuery, options?: AccountCallOptions): PageRequest<CursorPage<ListedTransaction>>;
    /**
     * Retrieve a transaction: `GET /v1/transactions/{transaction_id}`.
     *
     * Admins and platform users can retrieve transactions of any account.
     *
     * An API key needs the scope `transactions:read`.
     */
    get(transaction_id: string, options?: AccountCallOptions): Promise<Transaction>;
    /**
     * Update a transaction: `PATCH /v1/transactions/{transaction_id}`.
     *
     * Updates reference and metadata. Metadata keys are merged, and a key set to null is removed.
     * metadata: null clears everything. amount, currency and type never change.
     *
     * An API key needs the scope `transactions:write`.
     */
    update(transaction_id: string, body: UpdateTransactionBody, options?: AccountWriteOptions): Promise<Transaction>;
    /**
     * Cancel a pending transaction: `DELETE /v1/transactions/{transaction_id}`.
     *
     * The transaction remains visible as canceled and never settles.
     *
     * An API key needs the scope `transactions:write`.
     */
    cancel(transaction_id: string, options?: AccountWriteOptions): Promise<CancelTransactionResponse>;
    /**
     * Settle a pending transaction: `POST /v1/transactions/{transaction_id}/settle`.
     *
     * For admins and platform users. Sets the outcome of a pending transaction.
     *
     * A platform key needs the scope `transactions:write`.
     */
    settle(transaction_id: string, body: SettleTransactionBody, options?: AccountWriteOptions): Promise<Transaction>;
    /**
     * List postings of a transaction: `GET /v1/transactions/{transaction_id}/postings`.
     *
     * Returns the ledger postings of the transaction, oldest first: one on creation and one when it
     * is settled or canceled. Postings never change, and there is only one page.
     *
     * An API key needs the scope `transactions:read`.
     */
    listPostings(transaction_id: string, options?: AccountCallOptions): PageRequest<CursorPage<Posting>>;
    /**
     * Create many transactions: `POST /v1/transactions/bulk`.
     *
     * Creates up to 1,000 transactions of one account, in their order. By default all of them are
     * created, or none. With atomic false, each item has its own result. A request counts as its
     * number of items in the rate limit.
     *
     * An API key needs the scope `transactions:write`.
     */
    createMany(body: CreateTransactionsBody, options?: AccountWriteOptions): Promise<CreateTransactionsResponse>;
    /**
     * Count transactions: `GET /v1/list_counts/transactions`.
     *
     * Returns the number of entries in the list of one account with these filters, up to 10,000.
     * is_exact is false when there are more.
     *
     * An API key needs the scope `transactions:read`.
     */
    count(query?: CountTransactionsQuery, options?: AccountCallOptions): Promise<ListCount>;
    /**
     * List refunds of a payment: `GET /v1/transactions/{transaction_id}/refunds`.
     *
     * Returns the refunds linked to a payment in every status, newest first, with the amount refunded
     * so far. Empty for a transaction that is not a succeeded payment.
     *
     * An API key needs the scope `transactions:read`.
     */
    listRefunds(transaction_id: string, query?: ListRefundsQuery, options?: AccountCallOptions): PageRequest<CursorPage<ListedTransaction>>;
    /**
     * List refunds and customers of transactions: `GET /v1/transaction_details`.
     *
     * For the transactions of one page, returns the amount refunded and the payment request and
     * customer behind each. The order follows the ids; ids that you may not see are left out. For an
     * API key without the scope payments:read, payment_id and customer_email are null.
     *
     * An API key needs the scope `transactions:read`.
     */
    listDetails(query: ListTransactionDetailsQuery, options?: AccountCallOptions): PageRequest<CursorPage<TransactionDetails>>;
    /**
     * Retrieve the charge of a payment: `GET /v1/transactions/{transaction_id}/charge`.
     *
     * Returns what the payment provider collected for a payment, its fee, and the card. Only payments
     * by card or through a provider have a charge.
     *
     * An API key needs the scope `transactions:read`.
     */
    getCharge(transaction_id: string, options?: AccountCallOptions): Promise<Charge>;
    /**
     * Retrieve the credit note of a refund: `GET /v1/transactions/{transaction_id}/credit_note`.
     *
     * The first request issues the credit note, after the receipt of the payment if that was not
     * issued before; later ones return the same. A document states what was true when it was issued,
     * and does not change. Numbers have no gaps within an account: receipts and credit notes share
     * one sequence.
     *
     * An API key needs the scope `payments:read`.
     */
    getCreditNote(transaction_id: string, query?: Omit<GetCreditNoteQuery, 'format'>, options?: AccountCallOptions): Promise<Document>;
    /**
     * Retrieve the credit note of a refund: `GET /v1/transactions/{transaction_id}/credit_note`.
     *
     * The first request issues the credit note, after the receipt of the payment if that was not
     * issued before; later ones return the same. A document states what was true when it was issued,
     * and does not change. Numbers have no gaps within an account: receipts and credit notes share
     * one sequence.
     *
     * An API key needs the scope `payments:read`.
     */
    getCreditNotePdf(transaction_id: string, query?: Omit<GetCreditNoteQuery, 'format'>, options?: AccountCallOptions): Promise<Uint8Array<ArrayBuffer>>;
}
export declare class PaymentsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Count payment requests: `GET /v1/list_counts/payments`.
     *
     * Returns the number of entries in the list of one account with these filters, up to 10,000.
     * is_exact is false when there are more.
     *
     * An API key needs the scope `payments:read`.
     */
    count(query?: CountPaymentsQuery, options?: AccountCallOptions): Promise<ListCount>;
    /**
     * Create a payment request: `POST /v1/payments`.
     *
     * Emails the customer a link to pay, also returned in payment_url. The payment request is pending
     * until the customer pays, and expires after 30 days. An account can send at most 10 emails per
     * hour and 30 per day to one customer. Emails over the limit are suppressed.
     *
     * An API key needs the scope `payments:write`.
     */
    create(body: CreatePaymentBody, options?: AccountWriteOptions): Promise<CreatedPayment>;
    /**
     * List payment requests: `GET /v1/payments`.
     *
     * Returns payment requests, newest first. For admins and platform users: of all accounts, or of
     * the account in Florin-Account.
     *
     * An API key needs the scope `payments:read`.
     */
    list(query?: ListPaymentsQuery, options?: AccountCallOptions): PageRequest<CursorPage<Payment>>;
    /**
     * Retrieve a payment request: `GET /v1/payments/{payment_id}`.
     *
     * Admins and platform users can retrieve payment requests of any account.
     *
     * An API key needs the scope `payments:read`.
     */
    get(payment_id: string, options?: AccountCallOptions): Promise<Payment>;
    /**
     * Set the return URLs of a payment request: `PATCH /v1/payments/{payment_id}`.
     *
     * Changes the fields sent; null removes a URL. The payment page links to the URL and appends
     * payment_id as a query parameter. A customer who returns has not necessarily paid: verify the
     * payment with a webhook or GET /v1/payments/{payment_id}.
     *
     * An API key needs the scope `payments:write`.
     */
    update(payment_id: string, body: UpdatePaymentBody, options?: AccountWriteOptions): Promise<PaymentReturnUrls>;
    /**
     * Retrieve the status of a payment request: `GET /v1/payments/{payment_id}/status`.
     *
     * Returns the fields that change, for polling.
     *
     * An API key needs the scope `payments:read`.
     */
    getStatus(payment_id: string, options?: AccountCallOptions): Promise<GetPaymentStatusResponse>;
    /**
     * List card attempts of a payment request: `GET /v1/payments/{payment_id}/attempts`.
     *
     * Returns every card attempt that reached the processor, newest first. The tenth declined card
     * fails the payment request, so there is only one page.
     *
     * An API key needs the scope `payments:read`.
     */
    listAttempts(payment_id: string, options?: AccountCallOptions): PageRequest<CursorPage<PaymentAttempt>>;
    /**
     * Cancel a pending payment request: `POST /v1/payments/{payment_id}/cancel`.
     *
     * The payment page then shows that the request is canceled and accepts no payment.
     *
     * An API key needs the scope `payments:write`.
     */
    cancel(payment_id: string, options?: AccountWriteOptions): Promise<Payment>;
    /**
     * Resend the payment email: `POST /v1/payments/{payment_id}/send`.
     *
     * Emails the link to the customer again. The link stays the same. An account can send at most 10
     * emails per hour and 30 per day to one customer. Emails over the limit are suppressed. Admins
     * see the result in GET /v1/emails.
     *
     * An API key needs the scope `payments:write`.
     */
    send(payment_id: string, options?: AccountWriteOptions): Promise<Payment>;
    /**
     * Settle a pending payment request: `POST /v1/payments/{payment_id}/settle`.
     *
     * For admins and platform users. Records that the payment was received, or that it failed.
     * succeeded creates a succeeded payment transaction in the same database transaction.
     *
     * A platform key needs the scope `payments:write`.
     */
    settle(payment_id: string, body: SettlePaymentBody, options?: AccountWriteOptions): Promise<Payment>;
    /**
     * Create a payment request with options: `POST /v1/payment_requests`.
     *
     * Like POST /v1/payments, with a due date, a message, a choice of the reminder, and without an
     * email if you share the link yourself. An account can send at most 10 emails per hour and 30 per
     * day to one customer. Emails over the limit are suppressed.
     *
     * An API key needs the scope `payments:write`.
     */
    createRequest(body: CreatePaymentRequestBody, options?: AccountWriteOptions): Promise<PaymentRequest>;
    /**
     * Retrieve a payment request with its options: `GET /v1/payment_requests/{payment_id}`.
     *
     * Like GET /v1/payments/{payment_id}, with the options of the request.
     *
     * An API key needs the scope `payments:read`.
     */
    getRequest(payment_id: string, options?: AccountCallOptions): Promise<PaymentRequest>;
    /**
     * List the emails of a payment request: `GET /v1/payments/{payment_id}/emails`.
     *
     * Returns the state of every email to the customer, newest first, without its content. Emails are
     * stored for 90 days.
     *
     * An API key needs the scope `payments:read`.
     */
    listEmails(payment_id: string, options?: AccountCallOptions): PageRequest<CursorPage<PaymentEmail>>;
    /**
     * Retrieve the receipt of a payment request: `GET /v1/payments/{payment_id}/receipt`.
     *
     * The first request issues the receipt; later ones return the same. A document states what was
     * true when it was issued, and does not change. Numbers have no gaps within an account: receipts
     * and credit notes share one sequence.
     *
     * An API key needs the scope `payments:read`.
     */
    getReceipt(payment_id: string, query?: Omit<GetReceiptQuery, 'format'>, options?: AccountCallOptions): Promise<Document>;
    /**
     * Retrieve the receipt of a payment request: `GET /v1/payments/{payment_id}/receipt`.
     *
     * The first request issues the receipt; later ones return the same. A document states what was
     * true when it was issued, and does not change. Numbers have no gaps within an account: receipts
     * and credit notes share one sequence.
     *
     * An API key needs the scope `payments:read`.
     */
    getReceiptPdf(payment_id: string, query?: Omit<GetReceiptQuery, 'format'>, options?: AccountCallOptions): Promise<Uint8Array<ArrayBuffer>>;
    /**
     * Retrieve the return URLs of a payment request: `GET /v1/payments/{payment_id}/return_urls`.
     *
     * Returns the URLs as they were set, also if their origin was deleted since.
     *
     * An API key needs the scope `payments:read`.
     */
    getReturnUrls(payment_id: string, options?: AccountCallOptions): Promise<PaymentReturnUrls>;
}
export declare class SubscriptionsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Count subscriptions: `GET /v1/list_counts/subscriptions`.
     *
     * Returns the number of entries in the list of one account with these filters, up to 10,000.
     * is_exact is false when there are more.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    count(query?: CountSubscriptionsQuery, options?: AccountCallOptions): Promise<ListCount>;
    /**
     * Create a subscription: `POST /v1/subscriptions`.
     *
     * Requests a payment from a customer in each billing period. A period starts with one payment
     * request that has the subscription in its metadata. The first period starts at once. An account
     * can send at most 10 emails per hour and 30 per day to one customer. Emails over the limit are
     * suppressed.
     *
     * An API key needs the scope `subscriptions:write`.
     */
    create(body: CreateSubscriptionBody, options?: AccountWriteOptions): Promise<Subscription>;
    /**
     * List subscriptions: `GET /v1/subscriptions`.
     *
     * Returns the subscriptions of the account, newest first.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    list(query?: ListSubscriptionsQuery, options?: AccountCallOptions): PageRequest<CursorPage<Subscription>>;
    /**
     * Retrieve a subscription: `GET /v1/subscriptions/{subscription_id}`.
     *
     * Returns a subscription of the account.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    get(subscription_id: string, options?: AccountCallOptions): Promise<Subscription>;
    /**
     * Update a subscription: `PATCH /v1/subscriptions/{subscription_id}`.
     *
     * Pauses or resumes a subscription, or changes its reference and metadata. Resuming continues
     * with the next period; periods that passed in the meantime are skipped. Metadata keys are
     * merged, and a key set to null is removed. metadata: null clears everything.
     *
     * An API key needs the scope `subscriptions:write`.
     */
    update(subscription_id: string, body: UpdateSubscriptionBody, options?: AccountWriteOptions): Promise<Subscription>;
    /**
     * Cancel a subscription: `DELETE /v1/subscriptions/{subscription_id}`.
     *
     * Cancels the subscription immediately and permanently. Its existing payment requests stay open:
     * cancel those that should not be paid.
     *
     * An API key needs the scope `subscriptions:write`.
     */
    cancel(subscription_id: string, options?: AccountWriteOptions): Promise<Subscription>;
}
export declare class WebhookDeliveriesCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Count webhook deliveries: `GET /v1/list_counts/webhook_deliveries`.
     *
     * Returns the number of entries in the list of one account with these filters, up to 10,000.
     * is_exact is false when there are more.
     */
    count(query?: CountWebhookDeliveriesQuery, options?: AccountCallOptions): Promise<ListCount>;
    /**
     * List webhook deliveries: `GET /v1/webhook_deliveries`.
     *
     * Returns the deliveries of the last 30 days, newest first.
     */
    list(query?: ListWebhookDeliveriesQuery, options?: AccountCallOptions): PageRequest<CursorPage<ListedWebhookDelivery>>;
    /**
     * Retrieve a webhook delivery: `GET /v1/webhook_deliveries/{delivery_id}`.
     *
     * Returns the delivery with its request and the response to each attempt.
     */
    get(delivery_id: string, options?: AccountCallOptions): Promise<WebhookDelivery>;
    /**
     * Resend a webhook delivery: `POST /v1/webhook_deliveries/{delivery_id}/retry`.
     *
     * Sends the delivery again at once, whatever its status. The retry schedule restarts.
     */
    retry(delivery_id: string, options?: AccountWriteOptions): Promise<WebhookDelivery>;
}
export declare class DisputesCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List disputes: `GET /v1/disputes`.
     *
     * Returns the disputes of the account, newest first. Without Florin-Account, admins and platforms
     * get those of all accounts.
     *
     * An API key needs the scope `disputes:read`.
     */
    list(query?: ListDisputesQuery, options?: AccountCallOptions): PageRequest<CursorPage<Dispute>>;
    /**
     * Retrieve a dispute: `GET /v1/disputes/{dispute_id}`.
     *
     * Returns a dispute. A cardholder disputes a payment through their bank. The amount is withdrawn
     * from the account at once, and returned if the dispute is won.
     *
     * An API key needs the scope `disputes:read`.
     */
    get(dispute_id: string, options?: AccountCallOptions): Promise<Dispute>;
    /**
     * Resolve a dispute in the sandbox: `POST /v1/disputes/{dispute_id}/resolve`.
     *
     * Decides a dispute of a sandbox card as the bank would. A dispute that is not resolved by due_at
     * is lost. In live mode only the provider decides.
     *
     * An API key needs the scope `disputes:write`.
     */
    resolve(dispute_id: string, body: ResolveDisputeBody, options?: AccountWriteOptions): Promise<Dispute>;
}
export declare class TransfersCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Transfer money to another account: `POST /v1/transfers`.
     *
     * Debits the account at once. The amount is in transit until a worker has credited the target,
     * usually within a second. If the target no longer accepts money, it is returned. Admins and
     * platforms name the source in Florin-Account; an owner needs a recent login.
     *
     * A platform key needs the scope `transfers:write`.
     */
    create(body: CreateTransferBody, options?: AccountWriteOptions): Promise<Transfer>;
    /**
     * List transfers: `GET /v1/transfers`.
     *
     * Returns the transfers of the account, sent and received, newest first. Without Florin-Account,
     * admins and platforms get those of all accounts.
     *
     * An API key needs the scope `transfers:read`.
     */
    list(query?: ListTransfersQuery, options?: AccountCallOptions): PageRequest<CursorPage<Transfer>>;
    /**
     * Retrieve a transfer: `GET /v1/transfers/{transfer_id}`.
     *
     * Returns a transfer as the account has sent or received it.
     *
     * An API key needs the scope `transfers:read`.
     */
    get(transfer_id: string, options?: AccountCallOptions): Promise<Transfer>;
}
export declare class PayoutsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Create a payout: `POST /v1/payouts`.
     *
     * Holds an amount for a transfer to the payout destination. Needs a login within the last 10
     * minutes, and is not available to API keys. The payout waits for approval if the destination is
     * new, or if the total of the last 24 hours exceeds the approval limit.
     */
    create(body: CreatePayoutBody, options?: AccountWriteOptions): Promise<Payout>;
    /**
     * List payouts: `GET /v1/payouts`.
     *
     * Returns the payouts of the account, newest first. Without Florin-Account, admins and platforms
     * get those of all accounts.
     *
     * An API key needs the scope `payouts:read`.
     */
    list(query?: ListPayoutsQuery, options?: AccountCallOptions): PageRequest<CursorPage<Payout>>;
    /**
     * Retrieve a payout: `GET /v1/payouts/{payout_id}`.
     *
     * Returns a payout with its current status.
     *
     * An API key needs the scope `payouts:read`.
     */
    get(payout_id: string, options?: AccountCallOptions): Promise<Payout>;
    /**
     * Approve a payout: `POST /v1/payouts/{payout_id}/approve`.
     *
     * Approves a payout that another user has created, and its destination, which another user has
     * set. For admins and platform users who have logged in within the last 10 minutes. To reject it,
     * cancel it.
     */
    approve(payout_id: string, options?: AccountWriteOptions): Promise<Payout>;
    /**
     * Cancel a payout: `POST /v1/payouts/{payout_id}/cancel`.
     *
     * Cancels a payout that was not exported yet. Its amount is available again.
     */
    cancel(payout_id: string, options?: AccountWriteOptions): Promise<Payout>;
    /**
     * Record what the bank did with a payout: `POST /v1/payouts/{payout_id}/resolve`.
     *
     * Records that the bank has executed (paid) or rejected (failed) a payout in transit, or returned
     * a paid one. For admins and platform users who have logged in within the last 10 minutes.
     */
    resolve(payout_id: string, body: ResolvePayoutBody, options?: AccountWriteOptions): Promise<Payout>;
}
export declare class PayoutExportsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Export approved payouts for the bank: `POST /v1/payout_exports`.
     *
     * Writes up to 1,000 approved payouts and refunds of bank transfers of one currency, of all
     * active accounts, into a payment file (pain.001). In the same step payouts change to in_transit,
     * and refunds can no longer be canceled: a second export contains none of them. For admins and
     * platform users who have logged in within the last 10 minutes.
     */
    create(body: CreatePayoutExportBody, options?: WriteOptions): Promise<PayoutExport>;
    /**
     * List payout exports: `GET /v1/payout_exports`.
     *
     * Returns the exports, newest first.
     */
    list(query?: ListPayoutExportsQuery, options?: CallOptions): PageRequest<CursorPage<PayoutExport>>;
    /**
     * Retrieve a payout export: `GET /v1/payout_exports/{export_id}`.
     *
     * Returns an export without its file.
     */
    get(export_id: string, options?: CallOptions): Promise<PayoutExport>;
    /**
     * Download the payment file of an export: `GET /v1/payout_exports/{export_id}/file`.
     *
     * Returns the pain.001 document. Upload it to the bank once.
     */
    getFile(export_id: string, options?: CallOptions): Promise<string>;
}
export declare class BankStatementsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List bank statements: `GET /v1/bank_statements`.
     *
     * For admins and platforms. Returns the imported statements, newest first.
     *
     * A platform key needs the scope `bank_statements:read`.
     */
    list(query?: ListBankStatementsQuery, options?: CallOptions): PageRequest<CursorPage<BankStatement>>;
    /**
     * Import a bank statement: `POST /v1/bank_statements`.
     *
     * For admins and platforms. The body is the file as the bank provides it, up to 10 MiB: camt.053,
     * camt.054, MT940, OFX, or CSV with a saved column map. Nothing is stored if the file is
     * malformed, or if its entries and balances do not add up. Importing it again changes nothing. A
     * worker settles the payment requests whose reference and amount an entry has; other entries stay
     * open.
     *
     * A platform key needs the scope `bank_statements:write`.
     */
    import(file: FileContent, query?: ImportBankStatementQuery, options?: WriteOptions): Promise<ImportBankStatementResponse>;
    /**
     * Retrieve a bank statement: `GET /v1/bank_statements/{statement_id}`.
     *
     * For admins and platforms. Returns an imported statement without its entries; list those with
     * GET /v1/bank_entries.
     *
     * A platform key needs the scope `bank_statements:read`.
     */
    get(statement_id: string, options?: CallOptions): Promise<BankStatement>;
}
export declare class BankEntriesCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List bank entries: `GET /v1/bank_entries`.
     *
     * For admins and platforms. Returns the entries of all statements, newest first. Entries with
     * status=open wait for a decision.
     *
     * A platform key needs the scope `bank_statements:read`.
     */
    list(query?: ListBankEntriesQuery, options?: CallOptions): PageRequest<CursorPage<BankEntry>>;
    /**
     * Retrieve a bank entry: `GET /v1/bank_entries/{entry_id}`.
     *
     * For admins and platforms. Returns a transaction on a bank statement.
     *
     * A platform key needs the scope `bank_statements:read`.
     */
    get(entry_id: string, options?: CallOptions): Promise<BankEntry>;
    /**
     * Match a bank entry to what it pays or shows: `POST /v1/bank_entries/{entry_id}/match`.
     *
     * For admins and platforms. With payment_id, the entry pays the payment request, and a worker
     * records the money within seconds. If the amount is higher, the rest is a late payment. If it is
     * lower, or if the request has ended, all of it is a late payment and the request does not
     * change. late decides whether a late payment is kept or refunded. With settlement_id, the entry
     * shows the settlement of a provider, which must have the same amount, or takes it back. With
     * payout_id or transaction_id, a debit pays a payout or a refund by transfer, and a credit
     * returns it. That needs a user, not an API key, with a login within the last 10 minutes. A
     * return may lack a fee of the bank of up to 10,000 minor units, and then needs a note: the
     * account gets the whole amount, and the reconciliation shows the rest as a fee.
     *
     * A platform key needs the scope `bank_statements:write`.
     */
    match(entry_id: string, body: MatchBankEntryBody, options?: WriteOptions): Promise<BankEntry>;
    /**
     * Ignore a bank entry: `POST /v1/bank_entries/{entry_id}/ignore`.
     *
     * For admins and platforms. The entry pays nothing here: a fee of the bank, rent, or money that
     * was returned at the bank.
     *
     * A platform key needs the scope `bank_statements:write`.
     */
    ignore(entry_id: string, body?: IgnoreBankEntryBody, options?: WriteOptions): Promise<BankEntry>;
    /**
     * Match a bank entry again: `POST /v1/bank_entries/{entry_id}/reopen`.
     *
     * For admins and platforms. Matches an open or ignored entry again, for example after its payment
     * request was created.
     *
     * A platform key needs the scope `bank_statements:write`.
     */
    reopen(entry_id: string, options?: WriteOptions): Promise<BankEntry>;
}
export declare class BankColumnMapsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List column maps: `GET /v1/bank_column_maps`.
     *
     * For admins and platforms. Returns the saved column maps, by name.
     *
     * A platform key needs the scope `bank_statements:read`.
     */
    list(options?: CallOptions): PageRequest<CursorPage<BankColumnMap>>;
    /**
     * Save a column map: `POST /v1/bank_column_maps`.
     *
     * For admins and platforms. Saves how the CSV export of a bank is read. A map with the same name
     * is replaced.
     *
     * A platform key needs the scope `bank_statements:write`.
     */
    save(body: SaveBankColumnMapBody, options?: WriteOptions): Promise<BankColumnMap>;
    /**
     * Delete a column map: `DELETE /v1/bank_column_maps/{name}`.
     *
     * For admins and platforms. Imported statements stay as they are.
     *
     * A platform key needs the scope `bank_statements:write`.
     */
    delete(name: string, options?: WriteOptions): Promise<DeleteBankColumnMapResponse>;
}
export declare class SettlementsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List settlements: `GET /v1/settlements`.
     *
     * For admins and platforms. Returns the transfers from payment providers to the bank account of
     * the operator, newest first. A worker imports them every ten minutes.
     *
     * A platform key needs the scope `settlements:read`.
     */
    list(query?: ListSettlementsQuery, options?: CallOptions): PageRequest<CursorPage<Settlement>>;
    /**
     * Retrieve a settlement: `GET /v1/settlements/{settlement_id}`.
     *
     * For admins and platforms. Returns a settlement with the sums of its entries. What it contains
     * beyond its entries is a separate line, remainder.
     *
     * A platform key needs the scope `settlements:read`.
     */
    get(settlement_id: string, options?: CallOptions): Promise<Settlement>;
    /**
     * List the entries of a settlement: `GET /v1/settlements/{settlement_id}/entries`.
     *
     * For admins and platforms. Returns the charges, refunds, disputes and fees that a settlement
     * pays out, newest first.
     *
     * A platform key needs the scope `settlements:read`.
     */
    listEntries(settlement_id: string, query?: ListSettlementEntriesQuery, options?: CallOptions): PageRequest<CursorPage<BalanceEntry>>;
    /**
     * Retrieve the reconciliation: `GET /v1/reconciliation`.
     *
     * For admins and platforms. Returns the ledger, the payment providers and the bank side by side,
     * as a worker last compared them. It compares every hour, and florin reconcile at any time.
     *
     * A platform key needs the scope `settlements:read`.
     */
    getReconciliation(options?: CallOptions): Promise<Reconciliation>;
}
export declare class PaymentLinksCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Create a payment link: `POST /v1/payment_links`.
     *
     * A link that many payers can use. Each payer enters an email address, and an amount if it is
     * open, and gets a payment request that expires after an hour (seven days if payers can transfer
     * the money). The request has the link in its metadata. A use is reserved while a request is
     * pending, and returned if it ends unpaid.
     *
     * An API key needs the scope `payment_links:write`.
     */
    create(body: CreatePaymentLinkBody, options?: AccountWriteOptions): Promise<PaymentLink>;
    /**
     * List payment links: `GET /v1/payment_links`.
     *
     * Returns the payment links of the account, newest first.
     *
     * An API key needs the scope `payment_links:read`.
     */
    list(query?: ListPaymentLinksQuery, options?: AccountCallOptions): PageRequest<CursorPage<PaymentLink>>;
    /**
     * Retrieve a payment link: `GET /v1/payment_links/{payment_link_id}`.
     *
     * GET /v1/payments?payment_link={payment_link_id} lists its payment requests.
     *
     * An API key needs the scope `payment_links:read`.
     */
    get(payment_link_id: string, options?: AccountCallOptions): Promise<PaymentLink>;
    /**
     * Update a payment link: `PATCH /v1/payment_links/{payment_link_id}`.
     *
     * Changes the fields sent. The amount cannot change: create another link. Payment requests that
     * payers have started can still be paid, also if the link is no longer active.
     *
     * An API key needs the scope `payment_links:write`.
     */
    update(payment_link_id: string, body: UpdatePaymentLinkBody, options?: AccountWriteOptions): Promise<PaymentLink>;
}
export declare class DocumentsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List receipts and credit notes: `GET /v1/documents`.
     *
     * Returns the documents of the account, the greatest number first. A document states what was
     * true when it was issued, and does not change. Numbers have no gaps within an account: receipts
     * and credit notes share one sequence.
     *
     * An API key needs the scope `payments:read`.
     */
    list(query?: ListDocumentsQuery, options?: AccountCallOptions): PageRequest<CursorPage<Document>>;
    /**
     * Retrieve a receipt or a credit note: `GET /v1/documents/{document_id}`.
     *
     * A document states what was true when it was issued, and does not change. Numbers have no gaps
     * within an account: receipts and credit notes share one sequence.
     *
     * An API key needs the scope `payments:read`.
     */
    get(document_id: string, query?: Omit<GetDocumentQuery, 'format'>, options?: AccountCallOptions): Promise<Document>;
    /**
     * Retrieve a receipt or a credit note: `GET /v1/documents/{document_id}`.
     *
     * A document states what was true when it was issued, and does not change. Numbers have no gaps
     * within an account: receipts and credit notes share one sequence.
     *
     * An API key needs the scope `payments:read`.
     */
    getPdf(document_id: string, query?: Omit<GetDocumentQuery, 'format'>, options?: AccountCallOptions): Promise<Uint8Array<ArrayBuffer>>;
}
export declare class CustomersCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List customers: `GET /v1/customers`.
     *
     * Returns the customers of the account, newest first. A customer is an email address that the
     * account requested a payment from; case is ignored.
     *
     * An API key needs the scope `customers:read`.
     */
    list(query?: ListCustomersQuery, options?: AccountCallOptions): PageRequest<CursorPage<Customer>>;
    /**
     * Retrieve a customer: `GET /v1/customers/{customer_id}`.
     *
     * Returns a customer of the account, with sums of payments and refunds.
     *
     * An API key needs the scope `customers:read`.
     */
    get(customer_id: string, options?: AccountCallOptions): Promise<Customer>;
    /**
     * List payment requests of a customer: `GET /v1/customers/{customer_id}/payments`.
     *
     * Returns the payment requests of a customer, newest first.
     *
     * An API key needs the scope `payments:read`.
     */
    listPayments(customer_id: string, query?: ListCustomerPaymentsQuery, options?: AccountCallOptions): PageRequest<CursorPage<Payment>>;
    /**
     * List subscriptions of a customer: `GET /v1/customers/{customer_id}/subscriptions`.
     *
     * Returns the subscriptions of a customer, newest first.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    listSubscriptions(customer_id: string, query?: ListCustomerSubscriptionsQuery, options?: AccountCallOptions): PageRequest<CursorPage<Subscription>>;
    /**
     * Export the data of a customer: `GET /v1/customers/{customer_id}/export`.
     *
     * Returns everything that the account stores about a customer: payment requests with card
     * attempts and charges, disputes, subscriptions, and the emails that were sent.
     */
    export(customer_id: string, options?: AccountCallOptions): Promise<ExportCustomerResponse>;
    /**
     * Erase the data of a customer: `POST /v1/customers/{customer_id}/erase`.
     *
     * Replaces the email of a customer by a keyed hash everywhere in the account: payment requests,
     * subscriptions, emails, events, logs and stored responses. Amounts, postings and references
     * stay. Cancel pending payment requests and subscriptions first. This cannot be undone. A person
     * who was erased before keeps the id of the earlier customer.
     */
    erase(customer_id: string, body: EraseCustomerBody, options?: AccountWriteOptions): Promise<Customer>;
}
export declare class SandboxCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Advance the sandbox clock: `POST /v1/sandbox/clock/advance`.
     *
     * For admins. Moves the time of all business objects forward and responds when everything that
     * became due is processed. The clock never moves back. Sessions use real time.
     */
    advanceClock(body: AdvanceClockBody, options?: WriteOptions): Promise<AdvanceClockResponse>;
}
export declare class WebhookEndpointsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Create a webhook endpoint: `POST /v1/webhook_endpoints`.
     *
     * Sends events of the account to this URL from now on, signed according to Standard Webhooks. The
     * secret is shown only once. An account can have at most 20 endpoints.
     */
    create(body: CreateWebhookEndpointBody, options?: AccountWriteOptions): Promise<WebhookEndpointWithSecret>;
    /**
     * List webhook endpoints: `GET /v1/webhook_endpoints`.
     *
     * Returns webhook endpoints, newest first, without their secrets.
     */
    list(query?: ListWebhookEndpointsQuery, options?: AccountCallOptions): PageRequest<CursorPage<WebhookEndpoint>>;
    /**
     * Retrieve a webhook endpoint: `GET /v1/webhook_endpoints/{endpoint_id}`.
     *
     * Returns the endpoint without its secret, which is shown on creation only.
     */
    get(endpoint_id: string, options?: AccountCallOptions): Promise<WebhookEndpoint>;
    /**
     * Update a webhook endpoint: `PATCH /v1/webhook_endpoints/{endpoint_id}`.
     *
     * Disabling an endpoint cancels its waiting deliveries. After re-enabling, it receives events
     * from then on. Use replay for the events that it missed.
     */
    update(endpoint_id: string, body: UpdateWebhookEndpointBody, options?: AccountWriteOptions): Promise<WebhookEndpoint>;
    /**
     * Delete a webhook endpoint: `DELETE /v1/webhook_endpoints/{endpoint_id}`.
     *
     * Cancels its waiting deliveries. Past deliveries remain readable.
     */
    delete(endpoint_id: string, options?: AccountWriteOptions): Promise<WebhookEndpoint>;
    /**
     * Rotate the signing secret: `POST /v1/webhook_endpoints/{endpoint_id}/rotate`.
     *
     * Creates a new secret, shown only once. During the overlap both secrets sign, so that your
     * server can switch without losing a delivery.
     */
    rotateSecret(endpoint_id: string, body?: RotateWebhookSecretBody, options?: AccountWriteOptions): Promise<WebhookEndpointWithSecret>;
    /**
     * Send a test event: `POST /v1/webhook_endpoints/{endpoint_id}/test`.
     *
     * Sends webhook_endpoint.test, whatever the endpoint subscribes to. It is not an event of the
     * account, so its sequence is null. Retrieve the delivery to see the response.
     */
    test(endpoint_id: string, options?: AccountWriteOptions): Promise<WebhookDelivery>;
    /**
     * Replay events: `POST /v1/webhook_endpoints/{endpoint_id}/replay`.
     *
     * Sends all events since a time or after a sequence again, with their original ids, if the
     * endpoint subscribes to them. Events are stored for 90 days. Only one replay can run at a time.
     */
    replay(endpoint_id: string, body: ReplayWebhookEventsBody, options?: AccountWriteOptions): Promise<WebhookEndpoint>;
}
export declare class EmailsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List emails: `GET /v1/emails`.
     *
     * For admins. Returns all emails of the last 90 days, sent or not, newest first. Florin-Account
     * limits the list to one account.
     */
    list(query?: ListEmailsQuery, options?: AccountCallOptions): PageRequest<CursorPage<ListedEmail>>;
    /**
     * Retrieve an email: `GET /v1/emails/{email_id}`.
     *
     * For admins. Returns the email as its recipient sees it, as text and HTML. With Florin-Account,
     * only an email of that account.
     */
    get(email_id: string, options?: AccountCallOptions): Promise<Email>;
}
export declare class AuditLogCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List audit log entries: `GET /v1/audit_log`.
     *
     * For admins. Returns the actions of admins and platforms, newest first. Florin-Account limits
     * the list to one account. An entry is written in the same database transaction as its action and
     * never changes.
     */
    list(query?: ListAuditLogQuery, options?: AccountCallOptions): PageRequest<CursorPage<AuditEntry>>;
}
export declare class HealthCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Retrieve server health: `GET /v1/health`.
     *
     * For admins. Returns the last hour of the responding process, the state of the database and the
     * worker's backlog. To monitor several processes, scrape /metrics of each.
     */
    get(options?: CallOptions): Promise<Health>;
    /**
     * Check liveness: `GET /livez`.
     *
     * Returns 200 while the process runs. Does not check the database.
     */
    isAlive(options?: CallOptions): Promise<IsAliveResponse>;
    /**
     * Check readiness: `GET /readyz`.
     *
     * Returns 200 when the schema is migrated, the configured admin exists and the database responds.
     */
    isReady(options?: CallOptions): Promise<IsReadyResponse>;
    /**
     * Retrieve metrics: `GET /metrics`.
     *
     * Requires no token from localhost. Other clients need an admin token.
     */
    getMetrics(options?: CallOptions): Promise<string>;
}
export declare class ProcessorCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Retrieve the state of the payment processors: `GET /v1/processor`.
     *
     * For admins and platforms. Returns the configured providers: when their last message arrived,
     * when their changes were last listed, what waits to be processed, and payments that belong to no
     * payment request of this server.
     */
    get(options?: CallOptions): Promise<Processor>;
}
export declare class SearchCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Find objects: `GET /v1/search`.
     *
     * Finds objects that you may see. A full id finds its object, and the code of a bank transfer
     * (RF…) its payment request; admins and platform users find those of all accounts. Any other text
     * is compared with customers, payment requests, transactions and subscriptions of your account,
     * or of the account in Florin-Account: part of an email or a reference, an amount such as 42 or
     * 1,234.50, or at least the last 4 characters of an id. Only the newest 10,000 objects of each
     * kind are compared, and up to 10 of each kind are returned, newest first. Admins and platform
     * users also find accounts and users by part of a name or email.
     */
    find(query: SearchQuery, options?: AccountCallOptions): Promise<SearchResponse>;
}
export declare class AllCalls {
    readonly sessions: SessionsCalls;
    readonly factors: FactorsCalls;
    readonly identities: IdentitiesCalls;
    readonly users: UsersCalls;
    readonly accounts: AccountsCalls;
    readonly account: AccountCalls;
    readonly events: EventsCalls;
    readonly requestLogs: RequestLogsCalls;
    readonly apiKeys: ApiKeysCalls;
    readonly transactions: TransactionsCalls;
    readonly payments: PaymentsCalls;
    readonly subscriptions: SubscriptionsCalls;
    readonly webhookDeliveries: WebhookDeliveriesCalls;
    readonly disputes: DisputesCalls;
    readonly transfers: TransfersCalls;
    readonly payouts: PayoutsCalls;
    readonly payoutExports: PayoutExportsCalls;
    readonly bankStatements: BankStatementsCalls;
    readonly bankEntries: BankEntriesCalls;
    readonly bankColumnMaps: BankColumnMapsCalls;
    readonly settlements: SettlementsCalls;
    readonly paymentLinks: PaymentLinksCalls;
    readonly documents: DocumentsCalls;
    readonly customers: CustomersCalls;
    readonly sandbox: SandboxCalls;
    readonly webhookEndpoints: WebhookEndpointsCalls;
    readonly emails: EmailsCalls;
    readonly auditLog: AuditLogCalls;
    readonly health: HealthCalls;
    readonly processor: ProcessorCalls;
    readonly search: SearchCalls;
    constructor(transport: Transport);
}
