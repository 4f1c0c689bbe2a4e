// Made by client/generate.ts from docs/reference/openapi.json. Do not edit.
import { segment } from '../segment.js';
export class SessionsCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Log in: `POST /v1/auth/login`.
     *
     * Exchanges an email and a password for an access token and a refresh token. Ten wrong passwords
     * for one email from one address lock that pair for 15 minutes.
     */
    logIn(body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/auth/login',
            body,
        }, options);
    }
    /**
     * Renew the tokens: `POST /v1/auth/refresh`.
     *
     * Send the refresh token in the Authorization header, in the body, or in both. It works once: a
     * second use ends the whole session.
     */
    refresh(body = {}, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/auth/refresh',
            body,
        }, options);
    }
    /**
     * End a session: `DELETE /v1/auth/session`.
     *
     * Ends the current session, or the own session that session_id names.
     */
    end(body = {}, options = {}) {
        return this.#transport.json({
            method: 'DELETE',
            path: '/v1/auth/session',
            body,
            takes_token: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * List your sessions: `GET /v1/auth/sessions`.
     *
     * The live sessions of the user who asks, newest first.
     */
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/auth/sessions',
            query,
            takes_token: true,
        }, options);
    }
}
export class UsersCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
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
    list(query = {}, options = {}) {
        return this.#transport.numberedPages({
            method: 'GET',
            path: '/v1/users',
            query,
            query_names: ['page', 'limit', 'status', 'search'],
            takes_token: true,
        }, options);
    }
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
    create(body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/users',
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Retrieve a user: `GET /v1/users/{user_id}`.
     *
     * Yourself; for an owner the account's users; for admins and platforms any user.
     *
     * A platform key needs the scope `users:read`.
     */
    get(user_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/users/${segment('user_id', user_id)}`,
            takes_token: true,
        }, options);
    }
    /**
     * Update a user: `PATCH /v1/users/{user_id}`.
     *
     * Changes the fields sent. An admin sets anybody's name and password, an owner those of all the
     * account's users, members and users without an account their own. An admin sets others' status,
     * an owner that of the account's members. A new password ends the user's other sessions, all of
     * them if somebody else set it; a status other than active ends all of them.
     */
    update(user_id, body, options = {}) {
        return this.#transport.json({
            method: 'PATCH',
            path: `/v1/users/${segment('user_id', user_id)}`,
            body,
            takes_token: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Delete a user: `DELETE /v1/users/{user_id}`.
     *
     * Deletes the user for good, and ends every session of theirs.
     */
    delete(user_id, options = {}) {
        return this.#transport.json({
            method: 'DELETE',
            path: `/v1/users/${segment('user_id', user_id)}`,
            takes_token: true,
            takes_idempotency_key: true,
        }, options);
    }
}
export class AccountsCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Open an account: `POST /v1/accounts`.
     *
     * Opens an account and its owner, a user with this email and password. With the token of a user
     * without an account, and that email and password, that user becomes the owner.
     *
     * A platform key needs the scope `accounts:write`.
     */
    create(body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/accounts',
            body,
            takes_token: true,
            takes_idempotency_key: true,
        }, options);
    }
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
    list(query = {}, options = {}) {
        return this.#transport.numberedPages({
            method: 'GET',
            path: '/v1/accounts',
            query,
            query_names: [
                'page',
                'limit',
                'status',
                'type',
                'created_after',
                'created_before',
                'search',
            ],
            takes_token: true,
        }, options);
    }
    /**
     * Retrieve any account: `GET /v1/accounts/{account_id}`.
     *
     * For admins and platform users.
     *
     * A platform key needs the scope `accounts:read`.
     */
    get(account_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/accounts/${segment('account_id', account_id)}`,
            takes_token: true,
        }, options);
    }
    /**
     * Change an account's status: `PATCH /v1/accounts/{account_id}`.
     *
     * For admins. Closing is a call of its own: DELETE /v1/account.
     */
    update(account_id, body, options = {}) {
        return this.#transport.json({
            method: 'PATCH',
            path: `/v1/accounts/${segment('account_id', account_id)}`,
            body,
            takes_token: true,
            takes_idempotency_key: true,
        }, options);
    }
}
export class AccountCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Retrieve your account: `GET /v1/account`.
     *
     * The account of the token, or for admins and platforms of Florin-Account.
     *
     * An API key needs the scope `accounts:read`.
     */
    get(options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/account',
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Update your account: `PATCH /v1/account`.
     *
     * Changes the fields sent. The email is the owner's log-in: both change together, at once in
     * sandbox. In live mode the answer still has the old email: a link goes to the new address, works
     * for 24 hours, and the change is made when it is confirmed. The currency is fixed once there has
     * been money.
     */
    update(body, options = {}) {
        return this.#transport.json({
            method: 'PATCH',
            path: '/v1/account',
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Close your account: `DELETE /v1/account`.
     *
     * Closes the account permanently: its tokens are revoked, its users are deleted, and everything
     * pending is canceled. Takes effect at once; events for large accounts follow within seconds, and
     * account.closed is the last one.
     */
    close(options = {}) {
        return this.#transport.json({
            method: 'DELETE',
            path: '/v1/account',
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * List your account's users: `GET /v1/account/users`.
     *
     * The owner and the members, newest first.
     *
     * A platform key needs the scope `users:read`.
     */
    listUsers(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/account/users',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Retrieve the balance: `GET /v1/account/balance`.
     *
     * What the account has: available to refund, incoming with pending payments and credits, and held
     * for pending refunds.
     *
     * An API key needs the scope `balance:read`.
     */
    getBalance(options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/account/balance',
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * List what changed the available balance: `GET /v1/account/statement`.
     *
     * Newest first, one line for each movement into or out of available, with the balance it left.
     * Lines never change, but status and reference are those the transaction has now.
     *
     * An API key needs the scope `balance:read`.
     */
    listStatement(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/account/statement',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * List what changed the available balance: `GET /v1/account/statement`.
     *
     * Newest first, one line for each movement into or out of available, with the balance it left.
     * Lines never change, but status and reference are those the transaction has now.
     *
     * An API key needs the scope `balance:read`.
     */
    getStatementCsv(query = {}, options = {}) {
        return this.#transport.text({
            method: 'GET',
            path: '/v1/account/statement',
            query: { ...query, format: 'csv' },
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Report what came in and went out: `GET /v1/account/volume`.
     *
     * In hours, days, weeks or months of the account's time zone, with totals and those of the period
     * before. A transaction belongs to the time it was created in. Without dates it is today and the
     * 29 days before. At most 400 buckets.
     *
     * An API key needs the scope `balance:read`.
     */
    getVolume(query = {}, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/account/volume',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Report what needs attention: `GET /v1/account/attention`.
     *
     * Transactions that failed or have been pending for long, payment requests that failed or are
     * about to expire, and failing webhook endpoints: how many, the first of them, and the request
     * that lists them.
     *
     * An API key needs the scope `balance:read`.
     */
    getAttention(options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/account/attention',
            takes_token: true,
            takes_account: true,
        }, options);
    }
}
export class EventsCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
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
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/events',
            query,
            takes_token: true,
            takes_account: true,
            after_field: 'sequence',
        }, options);
    }
    /**
     * Retrieve an event: `GET /v1/events/{event_id}`.
     *
     * Of your own account, or of the one that Florin-Account names.
     *
     * An API key needs the scope `events:read`.
     */
    get(event_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/events/${segment('event_id', event_id)}`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
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
    stream(query = {}, options = {}) {
        return this.#transport.stream({
            method: 'GET',
            path: '/v1/events/stream',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Count events: `GET /v1/list_counts/events`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
     *
     * An API key needs the scope `events:read`.
     */
    count(query = {}, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/list_counts/events',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
}
export class RequestLogsCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
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
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/request_logs',
            query,
            takes_token: true,
            takes_account: true,
            after_field: 'id',
        }, options);
    }
}
export class ApiKeysCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Make an API key: `POST /v1/api_keys`.
     *
     * For the owner of an account, or an admin with Florin-Account. The key is in this answer and
     * nowhere else. An admin makes a platform key with role, without the header.
     */
    create(body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/api_keys',
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * List API keys: `GET /v1/api_keys`.
     *
     * Newest first, revoked ones too, without the keys themselves.
     */
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/api_keys',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Revoke an API key: `DELETE /v1/api_keys/{key_id}`.
     *
     * It is dead for the very next request. One that is revoked already stays so.
     */
    revoke(key_id, options = {}) {
        return this.#transport.json({
            method: 'DELETE',
            path: `/v1/api_keys/${segment('key_id', key_id)}`,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
}
export class TransactionsCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Create a transaction: `POST /v1/transactions`.
     *
     * A payment, credit or refund of an account. It begins pending; the processor or an admin settles
     * it. A refund takes its amount from the available balance at once.
     *
     * An API key needs the scope `transactions:write`.
     */
    create(body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/transactions',
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * List transactions: `GET /v1/transactions`.
     *
     * Newest first. For admins and platform users those of all accounts, or of the one that
     * Florin-Account names.
     *
     * An API key needs the scope `transactions:read`.
     */
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/transactions',
            query,
            query_names: [
                'limit',
                'starting_after',
                'ending_before',
                'status',
                'type',
                'refund_of',
                'date_from',
                'date_to',
            ],
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Retrieve a transaction: `GET /v1/transactions/{transaction_id}`.
     *
     * Of your own account; for admins and platform users any account's.
     *
     * An API key needs the scope `transactions:read`.
     */
    get(transaction_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/transactions/${segment('transaction_id', transaction_id)}`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Update reference and metadata: `PATCH /v1/transactions/{transaction_id}`.
     *
     * Keys of metadata are merged; a key set to null is removed; metadata null clears all. amount,
     * currency and type never change.
     *
     * An API key needs the scope `transactions:write`.
     */
    update(transaction_id, body, options = {}) {
        return this.#transport.json({
            method: 'PATCH',
            path: `/v1/transactions/${segment('transaction_id', transaction_id)}`,
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Cancel a pending transaction: `DELETE /v1/transactions/{transaction_id}`.
     *
     * It stays visible with the status canceled, and its money never settles.
     *
     * An API key needs the scope `transactions:write`.
     */
    cancel(transaction_id, options = {}) {
        return this.#transport.json({
            method: 'DELETE',
            path: `/v1/transactions/${segment('transaction_id', transaction_id)}`,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Settle a pending transaction: `POST /v1/transactions/{transaction_id}/settle`.
     *
     * For admins and platform users: says how a pending transaction ended.
     *
     * A platform key needs the scope `transactions:write`.
     */
    settle(transaction_id, body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: `/v1/transactions/${segment('transaction_id', transaction_id)}/settle`,
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * List a transaction's postings: `GET /v1/transactions/{transaction_id}/postings`.
     *
     * How its money moved, oldest first: one posting when it was created and one when it ended.
     * Postings never change, and there is only ever one page.
     *
     * An API key needs the scope `transactions:read`.
     */
    listPostings(transaction_id, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: `/v1/transactions/${segment('transaction_id', transaction_id)}/postings`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Count transactions: `GET /v1/list_counts/transactions`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
     *
     * An API key needs the scope `transactions:read`.
     */
    count(query = {}, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/list_counts/transactions',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * List a payment's refunds: `GET /v1/transactions/{transaction_id}/refunds`.
     *
     * The refunds linked to a payment, newest first and in every status, with the amount refunded so
     * far. Empty for a transaction that is not a succeeded payment.
     *
     * An API key needs the scope `transactions:read`.
     */
    listRefunds(transaction_id, query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: `/v1/transactions/${segment('transaction_id', transaction_id)}/refunds`,
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Look up refunds and customers of transactions: `GET /v1/transaction_details`.
     *
     * For the transactions of one page: the amount refunded, and the payment request and customer
     * behind each. In the order of the ids, without those that you may not see. An API key without
     * the scope payments:read gets null for payment_id and customer_email.
     *
     * An API key needs the scope `transactions:read`.
     */
    listDetails(query, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/transaction_details',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
}
export class PaymentsCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Count payment requests: `GET /v1/list_counts/payments`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
     *
     * An API key needs the scope `payments:read`.
     */
    count(query = {}, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/list_counts/payments',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Create a payment request: `POST /v1/payments`.
     *
     * Asks a customer to pay, by mail and by the link in payment_url. It is pending until the
     * customer has paid, and expires after 30 days. An account sends one customer at most 10 emails
     * an hour and 30 a day; what is over it is suppressed.
     *
     * An API key needs the scope `payments:write`.
     */
    create(body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/payments',
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * List payment requests: `GET /v1/payments`.
     *
     * Newest first. For admins and platform users those of all accounts, or of the one that
     * Florin-Account names.
     *
     * An API key needs the scope `payments:read`.
     */
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/payments',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Retrieve a payment request: `GET /v1/payments/{payment_id}`.
     *
     * Of your own account; for admins and platform users any account's.
     *
     * An API key needs the scope `payments:read`.
     */
    get(payment_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/payments/${segment('payment_id', payment_id)}`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Check whether a payment request is paid: `GET /v1/payments/{payment_id}/status`.
     *
     * The few fields that change, for those who ask often.
     *
     * An API key needs the scope `payments:read`.
     */
    getStatus(payment_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/payments/${segment('payment_id', payment_id)}/status`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * List a payment request's card attempts: `GET /v1/payments/{payment_id}/attempts`.
     *
     * Every card that the customer tried and the processor judged, newest first. The tenth declined
     * card fails the request, so there is only ever one page.
     *
     * An API key needs the scope `payments:read`.
     */
    listAttempts(payment_id, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: `/v1/payments/${segment('payment_id', payment_id)}/attempts`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Cancel a pending payment request: `POST /v1/payments/{payment_id}/cancel`.
     *
     * Its page says so from then on, and takes no money.
     *
     * An API key needs the scope `payments:write`.
     */
    cancel(payment_id, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: `/v1/payments/${segment('payment_id', payment_id)}/cancel`,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Mail the link again: `POST /v1/payments/{payment_id}/send`.
     *
     * For a customer who has lost the first mail. The link stays the same. An account sends one
     * customer at most 10 emails an hour and 30 a day; what is over it is suppressed. GET /v1/emails
     * tells admins what became of it.
     *
     * An API key needs the scope `payments:write`.
     */
    send(payment_id, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: `/v1/payments/${segment('payment_id', payment_id)}/send`,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Settle a pending payment request: `POST /v1/payments/{payment_id}/settle`.
     *
     * For admins and platform users: says that the money has come, or that it never will. With
     * succeeded, a succeeded payment transaction is written in the same moment.
     *
     * A platform key needs the scope `payments:write`.
     */
    settle(payment_id, body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: `/v1/payments/${segment('payment_id', payment_id)}/settle`,
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
}
export class SubscriptionsCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Count subscriptions: `GET /v1/list_counts/subscriptions`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    count(query = {}, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/list_counts/subscriptions',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Create a subscription: `POST /v1/subscriptions`.
     *
     * Asks a customer to pay each period, by one payment request at its beginning. The first begins
     * at once; each request names the subscription in its metadata. An account sends one customer at
     * most 10 emails an hour and 30 a day; what is over it is suppressed.
     *
     * An API key needs the scope `subscriptions:write`.
     */
    create(body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/subscriptions',
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * List subscriptions: `GET /v1/subscriptions`.
     *
     * Those of the account, newest first.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/subscriptions',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Retrieve a subscription: `GET /v1/subscriptions/{subscription_id}`.
     *
     * Of the account.
     *
     * An API key needs the scope `subscriptions:read`.
     */
    get(subscription_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/subscriptions/${segment('subscription_id', subscription_id)}`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Pause, resume or relabel a subscription: `PATCH /v1/subscriptions/{subscription_id}`.
     *
     * paused asks for nothing. active again goes on with the next period to come; those that passed
     * meanwhile are not asked for. Keys of metadata are merged; a key set to null is removed;
     * metadata null clears all.
     *
     * An API key needs the scope `subscriptions:write`.
     */
    update(subscription_id, body, options = {}) {
        return this.#transport.json({
            method: 'PATCH',
            path: `/v1/subscriptions/${segment('subscription_id', subscription_id)}`,
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Cancel a subscription: `DELETE /v1/subscriptions/{subscription_id}`.
     *
     * For good, and at once. Payment requests that it has made stay as they are: cancel those that
     * nobody shall pay.
     *
     * An API key needs the scope `subscriptions:write`.
     */
    cancel(subscription_id, options = {}) {
        return this.#transport.json({
            method: 'DELETE',
            path: `/v1/subscriptions/${segment('subscription_id', subscription_id)}`,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
}
export class WebhookDeliveriesCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Count deliveries: `GET /v1/list_counts/webhook_deliveries`.
     *
     * How many entries the list of one account has with these filters. Counts up to 10,000; is_exact
     * is false when there are more.
     */
    count(query = {}, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/list_counts/webhook_deliveries',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * List deliveries: `GET /v1/webhook_deliveries`.
     *
     * Newest first, of the last 30 days, without request and answer.
     */
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/webhook_deliveries',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Retrieve a delivery: `GET /v1/webhook_deliveries/{delivery_id}`.
     *
     * With what was sent, and what came back to each try.
     */
    get(delivery_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/webhook_deliveries/${segment('delivery_id', delivery_id)}`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Send a delivery again: `POST /v1/webhook_deliveries/{delivery_id}/retry`.
     *
     * At once, whatever became of it. The retry schedule restarts.
     */
    retry(delivery_id, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: `/v1/webhook_deliveries/${segment('delivery_id', delivery_id)}/retry`,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
}
export class SandboxCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Advance the sandbox's clock: `POST /v1/sandbox/clock/advance`.
     *
     * For admins. Takes the time of all business objects ahead, and answers when all that became due
     * by it is done. The clock never goes back. Sessions keep to real time.
     */
    advanceClock(body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/sandbox/clock/advance',
            body,
            takes_token: true,
            takes_idempotency_key: true,
        }, options);
    }
}
export class WebhookEndpointsCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Create a webhook endpoint: `POST /v1/webhook_endpoints`.
     *
     * Events of the account are sent to it from now on, signed as Standard Webhooks describes. The
     * secret is shown this once. At most 20 for an account.
     */
    create(body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: '/v1/webhook_endpoints',
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * List webhook endpoints: `GET /v1/webhook_endpoints`.
     *
     * Newest first, without their secrets.
     */
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/webhook_endpoints',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Retrieve a webhook endpoint: `GET /v1/webhook_endpoints/{endpoint_id}`.
     *
     * Without its secret, which is shown when it is made.
     */
    get(endpoint_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/webhook_endpoints/${segment('endpoint_id', endpoint_id)}`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Update a webhook endpoint: `PATCH /v1/webhook_endpoints/{endpoint_id}`.
     *
     * Disabling cancels what waits. An endpoint that is enabled again begins with the next event;
     * replay brings what it missed.
     */
    update(endpoint_id, body, options = {}) {
        return this.#transport.json({
            method: 'PATCH',
            path: `/v1/webhook_endpoints/${segment('endpoint_id', endpoint_id)}`,
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Delete a webhook endpoint: `DELETE /v1/webhook_endpoints/{endpoint_id}`.
     *
     * What waits to be sent to it is canceled. Its deliveries can still be read.
     */
    delete(endpoint_id, options = {}) {
        return this.#transport.json({
            method: 'DELETE',
            path: `/v1/webhook_endpoints/${segment('endpoint_id', endpoint_id)}`,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Rotate the secret: `POST /v1/webhook_endpoints/{endpoint_id}/rotate`.
     *
     * Makes a new secret, shown this once. For a while both sign, so that your server can take up the
     * new one without losing a delivery.
     */
    rotateSecret(endpoint_id, body = {}, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: `/v1/webhook_endpoints/${segment('endpoint_id', endpoint_id)}/rotate`,
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Send a test event: `POST /v1/webhook_endpoints/{endpoint_id}/test`.
     *
     * Sends webhook_endpoint.test, whatever the endpoint listens to. It is no event of the account:
     * its sequence is null. Retrieve the delivery to see what came back.
     */
    test(endpoint_id, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: `/v1/webhook_endpoints/${segment('endpoint_id', endpoint_id)}/test`,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
    /**
     * Send past events again: `POST /v1/webhook_endpoints/{endpoint_id}/replay`.
     *
     * Sends all events that the endpoint listens to since a time, or after a sequence, once more,
     * under the ids they had. Events are kept for 90 days. One replay at a time.
     */
    replay(endpoint_id, body, options = {}) {
        return this.#transport.json({
            method: 'POST',
            path: `/v1/webhook_endpoints/${segment('endpoint_id', endpoint_id)}/replay`,
            body,
            takes_token: true,
            takes_account: true,
            takes_idempotency_key: true,
        }, options);
    }
}
export class EmailsCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * List emails: `GET /v1/emails`.
     *
     * For admins. Every email of the last 90 days, newest first, of all accounts or of the one that
     * Florin-Account names, sent or not.
     */
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/emails',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
    /**
     * Retrieve an email: `GET /v1/emails/{email_id}`.
     *
     * For admins. The email as its recipient sees it, in text and HTML; with Florin-Account only if
     * it is of that account.
     */
    get(email_id, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: `/v1/emails/${segment('email_id', email_id)}`,
            takes_token: true,
            takes_account: true,
        }, options);
    }
}
export class AuditLogCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * List what admins and platforms did: `GET /v1/audit_log`.
     *
     * For admins. Newest first, of all accounts or of the one that Florin-Account names. Entries are
     * written in the deed's own database transaction and never change.
     */
    list(query = {}, options = {}) {
        return this.#transport.cursorPages({
            method: 'GET',
            path: '/v1/audit_log',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
}
export class HealthCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Report how the server is: `GET /v1/health`.
     *
     * For admins. The last hour of the process that responses, the database, and what waits for the
     * worker. Programs that watch many processes read /metrics of each.
     */
    get(options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/health',
            takes_token: true,
        }, options);
    }
    /**
     * The process runs: `GET /livez`.
     *
     * Answers while the process lives. It asks nothing else, not even the database.
     */
    isAlive(options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/livez',
            retryable: false,
        }, options);
    }
    /**
     * Requests are served: `GET /readyz`.
     *
     * The schema is migrated, an admin that the settings name is made, the database responses.
     */
    isReady(options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/readyz',
            retryable: false,
        }, options);
    }
    /**
     * Numbers for Prometheus: `GET /metrics`.
     *
     * Open to this machine itself; from elsewhere it takes the token of an admin.
     */
    getMetrics(options = {}) {
        return this.#transport.text({
            method: 'GET',
            path: '/metrics',
            takes_token: true,
            retryable: false,
        }, options);
    }
}
export class SearchCalls {
    #transport;
    constructor(transport) {
        this.#transport = transport;
    }
    /**
     * Find what an id names: `GET /v1/search`.
     *
     * Any id of something that you may see. Admins and platform users find things of all accounts,
     * and admins also a user by the whole email. Events are looked for in your own account, or in the
     * one that Florin-Account names.
     */
    find(query, options = {}) {
        return this.#transport.json({
            method: 'GET',
            path: '/v1/search',
            query,
            takes_token: true,
            takes_account: true,
        }, options);
    }
}
export class AllCalls {
    sessions;
    users;
    accounts;
    account;
    events;
    requestLogs;
    apiKeys;
    transactions;
    payments;
    subscriptions;
    webhookDeliveries;
    sandbox;
    webhookEndpoints;
    emails;
    auditLog;
    health;
    search;
    constructor(transport) {
        this.sessions = new SessionsCalls(transport);
        this.users = new UsersCalls(transport);
        this.accounts = new AccountsCalls(transport);
        this.account = new AccountCalls(transport);
        this.events = new EventsCalls(transport);
        this.requestLogs = new RequestLogsCalls(transport);
        this.apiKeys = new ApiKeysCalls(transport);
        this.transactions = new TransactionsCalls(transport);
        this.payments = new PaymentsCalls(transport);
        this.subscriptions = new SubscriptionsCalls(transport);
        this.webhookDeliveries = new WebhookDeliveriesCalls(transport);
        this.sandbox = new SandboxCalls(transport);
        this.webhookEndpoints = new WebhookEndpointsCalls(transport);
        this.emails = new EmailsCalls(transport);
        this.auditLog = new AuditLogCalls(transport);
        this.health = new HealthCalls(transport);
        this.search = new SearchCalls(transport);
    }
}
