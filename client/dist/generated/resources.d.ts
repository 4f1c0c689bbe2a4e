import type { AccountCallOptions, AccountWriteOptions, CallOptions, WriteOptions } from '../call.ts';
import type { Transport } from '../transport.ts';
import type { FlorinEvent } from '../florin-event.ts';
import type { CursorPage, NumberedPage, PageRequest } from '../pages.ts';
import type { AdvanceClockBody, AdvanceClockResponse, CancelTransactionResponse, CloseAccountResponse, CountEventsQuery, CountPaymentsQuery, CountSubscriptionsQuery, CountTransactionsQuery, CountWebhookDeliveriesQuery, CreateAccountBody, CreateApiKeyBody, CreatePaymentBody, CreateSubscriptionBody, CreateTransactionBody, CreateUserBody, CreateWebhookEndpointBody, DeleteUserResponse, EndSessionBody, EndSessionResponse, GetPaymentStatusResponse, GetStatementQuery, GetVolumeQuery, IsAliveResponse, IsReadyResponse, ListAccountUsersQuery, ListAccountsPagination, ListAccountsQuery, ListApiKeysQuery, ListAuditLogQuery, ListEmailsQuery, ListEventsQuery, ListPaymentsQuery, ListRefundsQuery, ListRequestLogsQuery, ListSessionsQuery, ListSubscriptionsQuery, ListTransactionDetailsQuery, ListTransactionsQuery, ListUsersPagination, ListUsersQuery, ListWebhookDeliveriesQuery, ListWebhookEndpointsQuery, LogInBody, LogInResponse, RefreshBody, RefreshResponse, ReplayWebhookEventsBody, RotateWebhookSecretBody, SearchQuery, SearchResponse, SettlePaymentBody, SettleTransactionBody, StreamEventsQuery, UpdateAccountBody, UpdateAccountStatusBody, UpdateSubscriptionBody, UpdateTransactionBody, UpdateUserBody, UpdateWebhookEndpointBody } from './requests.ts';
import type { Account, ApiKey, Attention, AuditEntry, Balance, CreatedApiKey, CreatedPayment, Email, Health, ListCount, ListedAccount, ListedEmail, ListedTransaction, ListedWebhookDelivery, Payment, PaymentAttempt, Posting, RequestLogEntry, Session, StatementLine, Subscription, Transaction, TransactionDetails, User, Volume, WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from './schemas.ts';
export declare class SessionsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Log in: `POST /v1/auth/login`.
     *
     * Exchanges an email and a password for an access token and a refresh token. Ten wrong passwords
     * for one email from one address lock that pair for 15 minutes.
     */
    logIn(body: LogInBody, options?: CallOptions): Promise<LogInResponse>;
    /**
     * Renew the tokens: `POST /v1/auth/refresh`.
     *
     * Send the refresh token in the Authorization header, in the body, or in both. It works once: a
     * second use ends the whole session.
     */
    refresh(body?: RefreshBody, options?: CallOptions): Promise<RefreshResponse>;
    /**
     * End a session: `DELETE /v1/auth/session`.
     *
     * Ends the current session, or the own session that session_id names.
     */
    end(body?: EndSessionBody, options?: WriteOptions): Promise<EndSessionResponse>;
    /**
     * List your sessions: `GET /v1/auth/sessions`.
     *
     * The live sessions of the user who asks, newest first.
     */
    list(query?: ListSessionsQuery, options?: CallOptions): PageRequest<CursorPage<Session>>;
}
export declare class UsersCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List users: `GET /v1/users`.
     *
     * All users, oldest first. For admins and platform users.
     *
     * A platform key needs the scope `users:read`.
     *
     * Do not remove entries while you walk over them: the pages move up, and some entries are left
     * out. Collect them first, then remove them.
     */
    list(query?: ListUsersQuery, options?: CallOptions): PageRequest<NumberedPage<User, ListUsersPagination>>;
    /**
     * Create a user: `POST /v1/users`.
     *
     * Without a token: signs up a user without an account. With an owner's token: a member of that
     * account. With an admin's or platform user's token: a user without an account, or with the
     * Florin-Account header a member of that account: for that a platform key needs the scope
     * `members:write` instead. Revoking the key suspends the users that it created.
     *
     * A platform key needs the scope `users:write`.
     */
    create(body: CreateUserBody, options?: AccountWriteOptions): Promise<User>;
    /**
     * Retrieve a user: `GET /v1/users/{user_id}`.
     *
     * Yourself; for an owner the account's users; for admins and platforms any user.
     *
     * A platform key needs the scope `users:read`.
     */
    get(user_id: string, options?: CallOptions): Promise<User>;
    /**
     * Update a user: `PATCH /v1/users/{user_id}`.
     *
     * Changes the fields sent. An admin sets anybody's name and password, an owner those of all the
     * account's users, members and users without an account their own. An admin sets others' status,
     * an owner that of the account's members. A new password ends the user's other sessions, all of
     * them if somebody else set it; a status other than active ends all of them.
     */
    update(user_id: string, body: UpdateUserBody, options?: WriteOptions): Promise<User>;
    /**
     * Delete a user: `DELETE /v1/users/{user_id}`.
     *
     * Deletes the user for good, and ends every session of theirs.
     */
    delete(user_id: string, options?: WriteOptions): Promise<DeleteUserResponse>;
}
export declare class AccountsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Open an account: `POST /v1/accounts`.
     *
     * Opens an account and its owner, a user with this email and password. With the token of a user
     * without an account, and that email and password, that user becomes the owner.
     *
     * A platform key needs the scope `accounts:write`.
     */
    create(body: CreateAccountBody, options?: WriteOptions): Promise<Account>;
    /**
     * List accounts: `GET /v1/accounts`.
     *
     * All accounts, oldest first. For admins and platform users.
     *
     * A platform key needs the scope `accounts:read`.
     *
     * Do not remove entries while you walk over them: the pages move up, and some entries are left
     * out. Collect them first, then remove them.
     */
    list(query?: ListAccountsQuery, options?: CallOptions): PageRequest<NumberedPage<ListedAccount, ListAccountsPagination>>;
    /**
     * Retrieve any account: `GET /v1/accounts/{account_id}`.
     *
     * For admins and platform users.
     *
     * A platform key needs the scope `accounts:read`.
     */
    get(account_id: string, options?: CallOptions): Promise<Account>;
    /**
     * Change an account's status: `PATCH /v1/accounts/{account_id}`.
     *
     * For admins. Closing is a call of its own: DELETE /v1/account.
     */
    update(account_id: string, body: UpdateAccountStatusBody, options?: WriteOptions): Promise<Account>;
}
export declare class AccountCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Retrieve your account: `GET /v1/account`.
     *
     * The account of the token, or for admins and platforms of Florin-Account.
     *
     * An API key needs the scope `accounts:read`.
     */
    get(options?: AccountCallOptions): Promise<Account>;
    /**
     * Update your account: `PATCH /v1/account`.
     *
     * Changes the fields sent. The email is the owner's log-in: both change together, at once in
     * sandbox. In live mode the answer still has the old email: a link goes to the new address, works
     * for 24 hours, and the change is made when it is confirmed. The currency is fixed once there has
     * been money.
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
     * List your account's users: `GET /v1/account/users`.
     *
     * The owner and the members, newest first.
     *
     * A platform key needs the scope `users:read`.
     */
    listUsers(query?: ListAccountUsersQuery, options?: AccountCallOptions): PageRequest<CursorPage<User>>;
    /**
     * Retrieve the balance: `GET /v1/account/balance`.
     *
     * What the account has: available to refund, incoming with pending payments and credits, and held
     * for pending refunds.
     *
     * An API key needs the scope `balance:read`.
     */
    getBalance(options?: AccountCallOptions): Promise<Balance>;
    /**
     * List what changed the available balance: `GET /v1/account/statement`.
     *
     * Newest first, one line for each movement into or out of available, with the balance it left.
     * Lines never change, but status and reference are those the transaction has now.
     *
     * An API key needs the scope `balance:read`.
     */
    listStatement(query?: Omit<GetStatementQuery, 'format'>, options?: AccountCallOptions): PageRequest<CursorPage<StatementLine>>;
    /**
     * List what changed the available balance: `GET /v1/account/statement`.
     *
     * Newest first, one line for each movement into or out of available, with the balance it left.
     * Lines never change, but status and reference are those the transaction has now.
     *
     * An API key needs the scope `balance:read`.
     */
    getStatementCsv(query?: Omit<GetStatementQuery, 'format'>, options?: AccountCallOptions): Promise<string>;
    /**
     * Report what came in and went out: `GET /v1/account/volume`.
     *
     * In hours, days, weeks or months of the account's time zone, with totals and those of the period
     * before. A transaction belongs to the time it was created in. Without dates it is today and the
     * 29 days before. At most 400 buckets.
     *
     * An API key needs the scope `balance:read`.
     */
    getVolume(query?: GetVolumeQuery, options?: AccountCallOptions): Promise<Volume>;
    /**
     * Report what needs attention: `GET /v1/account/attention`.
     *
     * Transactions that failed or have been pending for long, payment requests that failed or are
     * about to expire, and failing webhook endpoints: how many, the first of them, and the request
     * that lists them.
     *
     * An API key needs the scope `balance:read`.
     */
    getAttention(options?: AccountCallOptions): Promise<Attention>;
}
export declare class EventsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List events: `GET /v1/events`.
     *
     * What happened to the account in the last 90 days, newest first. With after, oldest first from
     * the next number on: nothing is missed. Events about what the caller may not list are left out,
     * so that their numbers are missing; otherwise numbers have no gaps. A key needs the read scope
     * of a noun to see its events: transactions:read for transaction.*.
     *
     * An API key needs the scope `events:read`.
     */
    list(query?: ListEventsQuery, options?: AccountCallOptions): PageRequest<CursorPage<FlorinEvent>>;
    /**
     * Retrieve an event: `GET /v1/events/{event_id}`.
     *
     * Of your own account, or of the one that Florin-Account names.
     *
     * An API key needs the scope `events:read`.
     */
    get(event_id: string, options?: AccountCallOptions): Promise<FlorinEvent>;
    /**
     * Follow events as they happen: `GET /v1/events/stream`.
     *
     * Server-sent events, each with its sequence as id. It begins with what happens next, or after
     * the sequence in Last-Event-ID, which browsers send when they reconnect, or in after. It ends
     * with the token, with the account, and when Florin stops. account.closed is the last event of an
     * account, and comes whatever type says. In silence a heartbeat comes every 15 seconds. An id
     * without data is no event, but after it the next connection goes on: it comes first of all, and
     * as the heartbeat where type leaves events out.
     *
     * An API key needs the scope `events:read`.
     */
    stream(query?: StreamEventsQuery, options?: AccountCallOptions): AsyncGenerator<FlorinEvent, void, undefined>;
    /**
     * Count events: `GET /v1/list_counts/events`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
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
     * What was asked of the API for the account in the last seven days, newest first; with after,
     * oldest first from there on. Written half a second later, and a sample under load. Bodies are
     * kept in sandbox alone, without secrets, and only of calls that the account's owner, members and
     * keys may all make.
     *
     * An API key needs the scope `request_logs:read`.
     */
    list(query?: ListRequestLogsQuery, options?: AccountCallOptions): PageRequest<CursorPage<RequestLogEntry>>;
}
export declare class ApiKeysCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Make an API key: `POST /v1/api_keys`.
     *
     * For the owner of an account, or an admin with Florin-Account. The key is in this answer and
     * nowhere else. An admin makes a platform key with role, without the header.
     */
    create(body: CreateApiKeyBody, options?: AccountWriteOptions): Promise<CreatedApiKey>;
    /**
     * List API keys: `GET /v1/api_keys`.
     *
     * Newest first, revoked ones too, without the keys themselves.
     */
    list(query?: ListApiKeysQuery, options?: AccountCallOptions): PageRequest<CursorPage<ApiKey>>;
    /**
     * Revoke an API key: `DELETE /v1/api_keys/{key_id}`.
     *
     * It is dead for the very next request. One that is revoked already stays so.
     */
    revoke(key_id: string, options?: AccountWriteOptions): Promise<ApiKey>;
}
export declare class TransactionsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Create a transaction: `POST /v1/transactions`.
     *
     * A payment, credit or refund of an account. It begins pending; the processor or an admin settles
     * it. A refund takes its amount from the available balance at once.
     *
     * An API key needs the scope `transactions:write`.
     */
    create(body: CreateTransactionBody, options?: AccountWriteOptions): Promise<ListedTransaction>;
    /**
     * List transactions: `GET /v1/transactions`.
     *
     * Newest first. For admins and platform users those of all accounts, or of the one that
     * Florin-Account names.
     *
     * An API key needs the scope `transactions:read`.
     */
    list(query?: ListTransactionsQuery, options?: AccountCallOptions): PageRequest<CursorPage<ListedTransaction>>;
    /**
     * Retrieve a transaction: `GET /v1/transactions/{transaction_id}`.
     *
     * Of your own account; for admins and platform users any account's.
     *
     * An API key needs the scope `transactions:read`.
     */
    get(transaction_id: string, options?: AccountCallOptions): Promise<Transaction>;
    /**
     * Update reference and metadata: `PATCH /v1/transactions/{transaction_id}`.
     *
     * Keys of metadata are merged; a key set to null is removed; metadata null clears all. amount,
     * currency and type never change.
     *
     * An API key needs the scope `transactions:write`.
     */
    update(transaction_id: string, body: UpdateTransactionBody, options?: AccountWriteOptions): Promise<Transaction>;
    /**
     * Cancel a pending transaction: `DELETE /v1/transactions/{transaction_id}`.
     *
     * It stays visible with the status canceled, and its money never settles.
     *
     * An API key needs the scope `transactions:write`.
     */
    cancel(transaction_id: string, options?: AccountWriteOptions): Promise<CancelTransactionResponse>;
    /**
     * Settle a pending transaction: `POST /v1/transactions/{transaction_id}/settle`.
     *
     * For admins and platform users: says how a pending transaction ended.
     *
     * A platform key needs the scope `transactions:write`.
     */
    settle(transaction_id: string, body: SettleTransactionBody, options?: AccountWriteOptions): Promise<Transaction>;
    /**
     * List a transaction's postings: `GET /v1/transactions/{transaction_id}/postings`.
     *
     * How its money moved, oldest first: one posting when it was created and one when it ended.
     * Postings never change, and there is only ever one page.
     *
     * An API key needs the scope `transactions:read`.
     */
    listPostings(transaction_id: string, options?: AccountCallOptions): PageRequest<CursorPage<Posting>>;
    /**
     * Count transactions: `GET /v1/list_counts/transactions`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
     *
     * An API key needs the scope `transactions:read`.
     */
    count(query?: CountTransactionsQuery, options?: AccountCallOptions): Promise<ListCount>;
    /**
     * List a payment's refunds: `GET /v1/transactions/{transaction_id}/refunds`.
     *
     * The refunds linked to a payment, newest first and in every status, with the amount refunded so
     * far. Empty for a transaction that is not a succeeded payment.
     *
     * An API key needs the scope `transactions:read`.
     */
    listRefunds(transaction_id: string, query?: ListRefundsQuery, options?: AccountCallOptions): PageRequest<CursorPage<ListedTransaction>>;
    /**
     * Look up refunds and customers of transactions: `GET /v1/transaction_details`.
     *
     * For the transactions of one page: the amount refunded, and the payment request and customer
     * behind each. In the order of the ids, without those that you may not see. An API key without
     * the scope payments:read gets null for payment_id and customer_email.
     *
     * An API key needs the scope `transactions:read`.
     */
    listDetails(query: ListTransactionDetailsQuery, options?: AccountCallOptions): PageRequest<CursorPage<TransactionDetails>>;
}
export declare class PaymentsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Count payment requests: `GET /v1/list_counts/payments`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
     *
     * An API key needs the scope `payments:read`.
     */
    count(query?: CountPaymentsQuery, options?: AccountCallOptions): Promise<ListCount>;
    /**
     * Create a payment request: `POST /v1/payments`.
     *
     * Asks a customer to pay, by mail and by the link in payment_url. It is pending until the
     * customer has paid, and expires after 30 days. An account sends one customer at most 10 emails
     * an hour and 30 a day; what is over it is suppressed.
     *
     * An API key needs the scope `payments:write`.
     */
    create(body: CreatePaymentBody, options?: AccountWriteOptions): Promise<CreatedPayment>;
    /**
     * List payment requests: `GET /v1/payments`.
     *
     * Newest first. For admins and platform users those of all accounts, or of the one that
     * Florin-Account names.
     *
     * An API key needs the scope `payments:read`.
     */
    list(query?: ListPaymentsQuery, options?: AccountCallOptions): PageRequest<CursorPage<Payment>>;
    /**
     * Retrieve a payment request: `GET /v1/payments/{payment_id}`.
     *
     * Of your own account; for admins and platform users any account's.
     *
     * An API key needs the scope `payments:read`.
     */
    get(payment_id: string, options?: AccountCallOptions): Promise<Payment>;
    /**
     * Check whether a payment request is paid: `GET /v1/payments/{payment_id}/status`.
     *
     * The few fields that change, for those who ask often.
     *
     * An API key needs the scope `payments:read`.
     */
    getStatus(payment_id: string, options?: AccountCallOptions): Promise<GetPaymentStatusResponse>;
    /**
     * List a payment request's card attempts: `GET /v1/payments/{payment_id}/attempts`.
     *
     * Every card that the customer tried and the processor judged, newest first. The tenth declined
     * card fails the request, so there is only ever one page.
     *
     * An API key needs the scope `payments:read`.
     */
    listAttempts(payment_id: string, options?: AccountCallOptions): PageRequest<CursorPage<PaymentAttempt>>;
    /**
     * Cancel a pending payment request: `POST /v1/payments/{payment_id}/cancel`.
     *
     * Its page says so from then on, and takes no money.
     *
     * An API key needs the scope `payments:write`.
     */
    cancel(payment_id: string, options?: AccountWriteOptions): Promise<Payment>;
    /**
     * Mail the link again: `POST /v1/payments/{payment_id}/send`.
     *
     * For a customer who has lost the first mail. The link stays the same. An account sends one
     * customer at most 10 emails an hour and 30 a day; what is over it is suppressed. GET /v1/emails
     * tells admins what became of it.
     *
     * An API key needs the scope `payments:write`.
     */
    send(payment_id: string, options?: AccountWriteOptions): Promise<Payment>;
    /**
     * Settle a pending payment request: `POST /v1/payments/{payment_id}/settle`.
     *
     * For admins and platform users: says that the money has come, or that it never will. With
     * succeeded, a succeeded payment transaction is written in the same moment.
     *
     * A platform key needs the scope `payments:write`.
     */
    settle(payment_id: string, body: SettlePaymentBody, options?: AccountWriteOptions): Promise<Payment>;
}
export declare class SubscriptionsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Count subscriptions: `GET /v1/list_counts/subscriptions`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    count(query?: CountSubscriptionsQuery, options?: AccountCallOptions): Promise<ListCount>;
    /**
     * Create a subscription: `POST /v1/subscriptions`.
     *
     * Asks a customer to pay each period, by one payment request at its beginning. The first begins
     * at once; each request names the subscription in its metadata. An account sends one customer at
     * most 10 emails an hour and 30 a day; what is over it is suppressed.
     *
     * An API key needs the scope `subscriptions:write`.
     */
    create(body: CreateSubscriptionBody, options?: AccountWriteOptions): Promise<Subscription>;
    /**
     * List subscriptions: `GET /v1/subscriptions`.
     *
     * Those of the account, newest first.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    list(query?: ListSubscriptionsQuery, options?: AccountCallOptions): PageRequest<CursorPage<Subscription>>;
    /**
     * Retrieve a subscription: `GET /v1/subscriptions/{subscription_id}`.
     *
     * Of the account.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    get(subscription_id: string, options?: AccountCallOptions): Promise<Subscription>;
    /**
     * Pause, resume or relabel a subscription: `PATCH /v1/subscriptions/{subscription_id}`.
     *
     * paused asks for nothing. active again goes on with the next period to come; those that passed
     * meanwhile are not asked for. Keys of metadata are merged; a key set to null is removed;
     * metadata null clears all.
     *
     * An API key needs the scope `subscriptions:write`.
     */
    update(subscription_id: string, body: UpdateSubscriptionBody, options?: AccountWriteOptions): Promise<Subscription>;
    /**
     * Cancel a subscription: `DELETE /v1/subscriptions/{subscription_id}`.
     *
     * For good, and at once. Payment requests that it has made stay as they are: cancel those that
     * nobody shall pay.
     *
     * An API key needs the scope `subscriptions:write`.
     */
    cancel(subscription_id: string, options?: AccountWriteOptions): Promise<Subscription>;
}
export declare class WebhookDeliveriesCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Count deliveries: `GET /v1/list_counts/webhook_deliveries`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
     */
    count(query?: CountWebhookDeliveriesQuery, options?: AccountCallOptions): Promise<ListCount>;
    /**
     * List deliveries: `GET /v1/webhook_deliveries`.
     *
     * Newest first, of the last 30 days, without request and answer.
     */
    list(query?: ListWebhookDeliveriesQuery, options?: AccountCallOptions): PageRequest<CursorPage<ListedWebhookDelivery>>;
    /**
     * Retrieve a delivery: `GET /v1/webhook_deliveries/{delivery_id}`.
     *
     * With what was sent, and what came back to each try.
     */
    get(delivery_id: string, options?: AccountCallOptions): Promise<WebhookDelivery>;
    /**
     * Send a delivery again: `POST /v1/webhook_deliveries/{delivery_id}/retry`.
     *
     * At once, whatever became of it. The retry schedule restarts.
     */
    retry(delivery_id: string, options?: AccountWriteOptions): Promise<WebhookDelivery>;
}
export declare class SandboxCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Advance the sandbox's clock: `POST /v1/sandbox/clock/advance`.
     *
     * For admins. Takes the time of all business objects ahead, and answers when all that became due
     * by it is done. The clock never goes back. Sessions keep to real time.
     */
    advanceClock(body: AdvanceClockBody, options?: WriteOptions): Promise<AdvanceClockResponse>;
}
export declare class WebhookEndpointsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Create a webhook endpoint: `POST /v1/webhook_endpoints`.
     *
     * Events of the account are sent to it from now on, signed as Standard Webhooks describes. The
     * secret is shown this once. At most 20 for an account.
     */
    create(body: CreateWebhookEndpointBody, options?: AccountWriteOptions): Promise<WebhookEndpointWithSecret>;
    /**
     * List webhook endpoints: `GET /v1/webhook_endpoints`.
     *
     * Newest first, without their secrets.
     */
    list(query?: ListWebhookEndpointsQuery, options?: AccountCallOptions): PageRequest<CursorPage<WebhookEndpoint>>;
    /**
     * Retrieve a webhook endpoint: `GET /v1/webhook_endpoints/{endpoint_id}`.
     *
     * Without its secret, which is shown when it is made.
     */
    get(endpoint_id: string, options?: AccountCallOptions): Promise<WebhookEndpoint>;
    /**
     * Update a webhook endpoint: `PATCH /v1/webhook_endpoints/{endpoint_id}`.
     *
     * Disabling cancels what waits. An endpoint that is enabled again begins with the next event;
     * replay brings what it missed.
     */
    update(endpoint_id: string, body: UpdateWebhookEndpointBody, options?: AccountWriteOptions): Promise<WebhookEndpoint>;
    /**
     * Delete a webhook endpoint: `DELETE /v1/webhook_endpoints/{endpoint_id}`.
     *
     * What waits to be sent to it is canceled. Its deliveries can still be read.
     */
    delete(endpoint_id: string, options?: AccountWriteOptions): Promise<WebhookEndpoint>;
    /**
     * Rotate the secret: `POST /v1/webhook_endpoints/{endpoint_id}/rotate`.
     *
     * Makes a new secret, shown this once. For a while both sign, so that your server can take up the
     * new one without losing a delivery.
     */
    rotateSecret(endpoint_id: string, body?: RotateWebhookSecretBody, options?: AccountWriteOptions): Promise<WebhookEndpointWithSecret>;
    /**
     * Send a test event: `POST /v1/webhook_endpoints/{endpoint_id}/test`.
     *
     * Sends webhook_endpoint.test, whatever the endpoint listens to. It is no event of the account:
     * its sequence is null. Retrieve the delivery to see what came back.
     */
    test(endpoint_id: string, options?: AccountWriteOptions): Promise<WebhookDelivery>;
    /**
     * Send past events again: `POST /v1/webhook_endpoints/{endpoint_id}/replay`.
     *
     * Sends all events that the endpoint listens to since a time, or after a sequence, once more,
     * under the ids they had. Events are kept for 90 days. One replay at a time.
     */
    replay(endpoint_id: string, body: ReplayWebhookEventsBody, options?: AccountWriteOptions): Promise<WebhookEndpoint>;
}
export declare class EmailsCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List emails: `GET /v1/emails`.
     *
     * For admins. Every email of the last 90 days, newest first, of all accounts or of the one that
     * Florin-Account names, sent or not.
     */
    list(query?: ListEmailsQuery, options?: AccountCallOptions): PageRequest<CursorPage<ListedEmail>>;
    /**
     * Retrieve an email: `GET /v1/emails/{email_id}`.
     *
     * For admins. The email as its recipient sees it, in text and HTML; with Florin-Account only if
     * it is of that account.
     */
    get(email_id: string, options?: AccountCallOptions): Promise<Email>;
}
export declare class AuditLogCalls {
    #private;
    constructor(transport: Transport);
    /**
     * List what admins and platforms did: `GET /v1/audit_log`.
     *
     * For admins. Newest first, of all accounts or of the one that Florin-Account names. Entries are
     * written in the deed's own database transaction and never change.
     */
    list(query?: ListAuditLogQuery, options?: AccountCallOptions): PageRequest<CursorPage<AuditEntry>>;
}
export declare class HealthCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Report how the server is: `GET /v1/health`.
     *
     * For admins. The last hour of the process that responses, the database, and what waits for the
     * worker. Programs that watch many processes read /metrics of each.
     */
    get(options?: CallOptions): Promise<Health>;
    /**
     * The process runs: `GET /livez`.
     *
     * Answers while the process lives. It asks nothing else, not even the database.
     */
    isAlive(options?: CallOptions): Promise<IsAliveResponse>;
    /**
     * Requests are served: `GET /readyz`.
     *
     * The schema is migrated, an admin that the settings name is made, the database responses.
     */
    isReady(options?: CallOptions): Promise<IsReadyResponse>;
    /**
     * Numbers for Prometheus: `GET /metrics`.
     *
     * Open to this machine itself; from elsewhere it takes the token of an admin.
     */
    getMetrics(options?: CallOptions): Promise<string>;
}
export declare class SearchCalls {
    #private;
    constructor(transport: Transport);
    /**
     * Find what an id names: `GET /v1/search`.
     *
     * Any id of something that you may see. Admins and platform users find things of all accounts,
     * and admins also a user by the whole email. Events are looked for in your own account, or in the
     * one that Florin-Account names.
     */
    find(query: SearchQuery, options?: AccountCallOptions): Promise<SearchResponse>;
}
export declare class AllCalls {
    readonly sessions: SessionsCalls;
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
    readonly sandbox: SandboxCalls;
    readonly webhookEndpoints: WebhookEndpointsCalls;
    readonly emails: EmailsCalls;
    readonly auditLog: AuditLogCalls;
    readonly health: HealthCalls;
    readonly search: SearchCalls;
    constructor(transport: Transport);
}
