export interface WebhookEndpoint {
    /** The id of the webhook endpoint. */
    id: string;
    /** The account whose events are sent. */
    account_id: string;
    /** The URL that receives events. */
    url: string;
    /** The event types to send: a type, a family such as payment.*, or *. */
    events: string[];
    /** Whether the endpoint receives events. */
    status: 'enabled' | 'disabled';
    /**
     * manual: disabled through the API. gone: the endpoint returned 410. failing: deliveries failed
     * for days. closed: the account was closed. null while enabled.
     */
    disabled_reason: 'manual' | 'gone' | 'failing' | 'closed' | null;
    /** When deliveries started to fail, or null. */
    failing_since: string | null;
    /** Until when the previous secret also signs. */
    previous_secret_expires_at: string | null;
    /** The rest of a replay in progress, by event sequence, or null. */
    replay: {
        /** The last event that was queued. */
        after: number;
        /** The last event of the replay. */
        through: number;
    } | null;
    /** When the endpoint was created. */
    created_at: string;
    /** When the endpoint last changed. */
    updated_at: string;
}
/** An endpoint with its new secret. */
export interface WebhookEndpointWithSecret {
    /** The id of the webhook endpoint. */
    id: string;
    /** The account whose events are sent. */
    account_id: string;
    /** The URL that receives events. */
    url: string;
    /** The event types to send: a type, a family such as payment.*, or *. */
    events: string[];
    /** Whether the endpoint receives events. */
    status: 'enabled' | 'disabled';
    /**
     * manual: disabled through the API. gone: the endpoint returned 410. failing: deliveries failed
     * for days. closed: the account was closed. null while enabled.
     */
    disabled_reason: 'manual' | 'gone' | 'failing' | 'closed' | null;
    /** When deliveries started to fail, or null. */
    failing_since: string | null;
    /** Until when the previous secret also signs. */
    previous_secret_expires_at: string | null;
    /** The rest of a replay in progress, by event sequence, or null. */
    replay: {
        /** The last event that was queued. */
        after: number;
        /** The last event of the replay. */
        through: number;
    } | null;
    /** When the endpoint was created. */
    created_at: string;
    /** When the endpoint last changed. */
    updated_at: string;
    /** The signing secret. It is shown only once. */
    secret: string;
}
/** A delivery as returned in lists, without request and response. */
export interface ListedWebhookDelivery {
    /** The id of the delivery. */
    id: string;
    /** The account that the delivery belongs to. */
    account_id: string;
    /** The endpoint that receives the delivery. */
    endpoint_id: string;
    /** The id of the event. It is the webhook-id of every attempt. */
    event_id: string;
    /** The event type, or webhook_endpoint.test. */
    event_type: string;
    /** The sequence number of the event; null for a test. */
    event_sequence: number | null;
    /**
     * pending: waiting for its first attempt, or for a resend after it was delivered. retrying: the
     * last attempt failed and more will follow. delivered: the endpoint accepted it. failed: the last
     * attempt failed and no more will follow. canceled: the endpoint was disabled or deleted.
     */
    status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled';
    /**
     * All attempts so far, including those before a resend. An attempt interrupted by a server crash
     * is counted but is not in history.
     */
    attempts: number;
    /** When the last attempt was made. */
    last_attempt_at: string | null;
    /** When the next attempt is due, or null if there is none. */
    next_attempt_at: string | null;
    /** The duration of the last attempt in milliseconds. */
    duration_ms: number | null;
    /** The HTTP status of the last attempt, or null. */
    response_status: number | null;
    /** Why the last attempt failed, or null. */
    error: string | null;
    /** When the delivery was queued. */
    created_at: string;
}
export interface WebhookDelivery {
    /** The id of the delivery. */
    id: string;
    /** The account that the delivery belongs to. */
    account_id: string;
    /** The endpoint that receives the delivery. */
    endpoint_id: string;
    /** The id of the event. It is the webhook-id of every attempt. */
    event_id: string;
    /** The event type, or webhook_endpoint.test. */
    event_type: string;
    /** The sequence number of the event; null for a test. */
    event_sequence: number | null;
    /**
     * pending: waiting for its first attempt, or for a resend after it was delivered. retrying: the
     * last attempt failed and more will follow. delivered: the endpoint accepted it. failed: the last
     * attempt failed and no more will follow. canceled: the endpoint was disabled or deleted.
     */
    status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled';
    /**
     * All attempts so far, including those before a resend. An attempt interrupted by a server crash
     * is counted but is not in history.
     */
    attempts: number;
    /** When the last attempt was made. */
    last_attempt_at: string | null;
    /** When the next attempt is due, or null if there is none. */
    next_attempt_at: string | null;
    /** The duration of the last attempt in milliseconds. */
    duration_ms: number | null;
    /** The HTTP status of the last attempt, or null. */
    response_status: number | null;
    /** Why the last attempt failed, or null. */
    error: string | null;
    /** When the delivery was queued. */
    created_at: string;
    /** The last request; null if the event is no longer stored. */
    request: {
        url: string;
        headers: Record<string, string>;
        body: string;
    } | null;
    /** The last response, with the first 4 KiB of its body; null if there was none. */
    response: {
        status: number;
        body: string;
    } | null;
    /**
     * The last twenty completed attempts, newest first, including those before a resend. Each sent
     * the same body.
     */
    history: ({
        /** When the attempt was sent. It is the webhook-timestamp. */
        at: string;
        /** The URL of the attempt. */
        url: string;
        /** The duration in milliseconds. */
        duration_ms: number;
        /** The response, with the first 4 KiB of its body; null if there was none. */
        response: {
            status: number;
            body: string;
        } | null;
        /** Why the attempt failed, or null. */
        error: string | null;
    })[];
}
/** A payment request as created. */
export interface CreatedPayment {
    /** The id of the payment request. */
    id: string;
    /** The account that requests the payment. */
    account_id: string;
    /** The amount in minor units. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The status. It leaves pending exactly once and is then final. */
    status: 'pending' | 'succeeded' | 'failed' | 'canceled';
    /** The email address of the customer. */
    customer_email: string;
    /** Your reference, or null. */
    reference: string | null;
    /** Custom key-value data. */
    metadata: Record<string, unknown>;
    /** When the payment request was created. */
    created_at: string;
    /** The page where the customer pays. Anyone with this URL can pay. */
    payment_url: string;
}
export interface Payment {
    /** The id of the payment request. */
    id: string;
    /** The account that requests the payment. */
    account_id: string;
    /** The amount in minor units. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The status. It leaves pending exactly once and is then final. */
    status: 'pending' | 'succeeded' | 'failed' | 'canceled';
    /** The email address of the customer. */
    customer_email: string;
    /** Your reference, or null. */
    reference: string | null;
    /** Custom key-value data. */
    metadata: Record<string, unknown>;
    /** When the payment request was created. */
    created_at: string;
    /** The page where the customer pays. Anyone with this URL can pay. */
    payment_url: string;
    /** When the payment request last changed. */
    updated_at: string;
    /** When the payment request is canceled if it has not been paid. */
    expires_at: string;
    /** The transaction that paid it; null until then. */
    transaction_id: string | null;
    /**
     * The total of pending and succeeded refunds in minor units. Always 0 in events, which are
     * recorded before a refund is possible.
     */
    refunded_amount: number;
}
/** A payment request with its options. */
export interface PaymentRequest {
    /** The id of the payment request. */
    id: string;
    /** The account that requests the payment. */
    account_id: string;
    /** The amount in minor units. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The status. It leaves pending exactly once and is then final. */
    status: 'pending' | 'succeeded' | 'failed' | 'canceled';
    /** The email address of the customer. */
    customer_email: string;
    /** Your reference, or null. */
    reference: string | null;
    /** Custom key-value data. */
    metadata: Record<string, unknown>;
    /** When the payment request was created. */
    created_at: string;
    /** The page where the customer pays. Anyone with this URL can pay. */
    payment_url: string;
    /** When the payment request last changed. */
    updated_at: string;
    /** When the payment request is canceled if it has not been paid. */
    expires_at: string;
    /** The transaction that paid it; null until then. */
    transaction_id: string | null;
    /**
     * The total of pending and succeeded refunds in minor units. Always 0 in events, which are
     * recorded before a refund is possible.
     */
    refunded_amount: number;
    /** The message to the customer, or null. */
    message: string | null;
    /**
     * How many days before the expiry the customer is reminded, as chosen at creation. 0: never.
     * null: the default.
     */
    reminder_days: number | null;
    /** When the customer is reminded if the request is still pending, or null. */
    reminder_at: string | null;
    /** How often the link was emailed. */
    sends: number;
    /** The reusable payment link that the payer used, or null. */
    payment_link_id: string | null;
}
/** A payment link that many payers can use. */
export interface PaymentLink {
    /** The id of the payment link. */
    id: string;
    /** The account that gets paid. */
    account_id: string;
    /** The page to share. Anyone with this URL can start a payment. */
    url: string;
    /** What the payer pays for. */
    title: string;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The amount in minor units; null if the payer chooses. */
    amount: number | null;
    /** The smallest amount that a payer can choose. */
    amount_min: number | null;
    /** The largest amount that a payer can choose. */
    amount_max: number | null;
    /** The amount that the form starts with. */
    amount_suggested: number | null;
    /** How many payments the link accepts. null: any number. */
    max_uses: number | null;
    /** How many payments succeeded. */
    uses: number;
    /** How many payments are pending. Each reserves a use. */
    reserved: number;
    /** When the link stops accepting payments, or null. */
    expires_at: string | null;
    /** Whether the link accepts payments. */
    active: boolean;
    /** Custom key-value data. */
    metadata: Record<string, unknown>;
    /** When the payment link was created. */
    created_at: string;
    /** When the payment link last changed. A use does not change it. */
    updated_at: string;
}
/** A receipt or a credit note. */
export interface Document {
    /** The id of the document. */
    id: string;
    /** The account that was paid. */
    account_id: string;
    /** A receipt for a payment, or a credit note for a refund. */
    type: 'receipt' | 'credit_note';
    /** Counts the documents of the account from 1, without gaps. */
    number: number;
    /** On a credit note: the number of the receipt that it corrects. */
    receipt_number: number | null;
    /** The payment request. */
    payment_id: string;
    /** The payment of a receipt, the refund of a credit note. */
    transaction_id: string;
    /** What was paid or refunded. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The email address of the customer. */
    customer_email: string;
    /** Your reference, or null. */
    reference: string | null;
    /** When the document was issued. */
    created_at: string;
}
/** The state of an email to a customer. */
export interface PaymentEmail {
    /** The kind of email. */
    kind: 'payment_request' | 'payment_reminder' | 'payment_receipt' | 'payment_refund' | 'email_verification' | 'email_change_notice' | 'sign_up_verification' | 'sign_up_attempt' | 'password_reset' | 'password_changed' | 'invitation' | 'payment_received' | 'payment_failed' | 'new_login' | 'weekly_summary' | 'dispute_opened' | 'dispute_closed' | 'webhook_disabled' | 'payout_destination_changed';
    /**
     * queued: waiting for the mail server. sent: accepted by the mail server. failed: permanently
     * rejected. suppressed: over a limit, or about a payment that was already paid or canceled.
     * stored: no mail server is configured, so nothing is sent.
     */
    state: 'queued' | 'sent' | 'failed' | 'suppressed' | 'stored';
    /** When the email was created. */
    created_at: string;
    /** When the mail server accepted the email, or null. */
    sent_at: string | null;
}
/** An origin to which the payment page may send customers back. */
export interface ReturnOrigin {
    /** Scheme, host and port, normalized. */
    origin: string;
}
/** Where the payment page sends the customer back to. */
export interface PaymentReturnUrls {
    /** The id of the payment request. */
    id: string;
    /** Where the customer continues after the payment, or null. */
    return_url: string | null;
    /** Where the customer goes back to without paying, or null. */
    cancel_url: string | null;
}
/** An attempt by the customer to pay by card. */
export interface PaymentAttempt {
    /** The number of the attempt within the payment request, starting at 1. */
    number: number;
    /** When the attempt was made. */
    created_at: string;
    /** The result from the processor. */
    outcome: 'succeeded' | 'declined';
    /**
     * Why the card was declined: card_declined, insufficient_funds, expired_card, incorrect_cvc,
     * processing_error or authentication_failed; null if the payment succeeded. More codes may be
     * added.
     */
    decline_code: string | null;
    /** The stored card details. The card number is never stored. */
    card: {
        /** visa, mastercard, amex, discover or unknown. */
        brand: string;
        /** The last four digits. */
        last4: string;
    };
}
export interface ErrorBody {
    /** A machine-readable error code. */
    error: 'account_not_found' | 'active_subscriptions' | 'conflict' | 'currency_mismatch' | 'email_exists' | 'forbidden' | 'idempotency_conflict' | 'insufficient_funds' | 'internal_error' | 'invalid_credentials' | 'invalid_grant' | 'invalid_request' | 'invalid_session' | 'not_cancellable' | 'not_found' | 'rate_limited' | 'unauthorized' | 'unavailable';
    /** What went wrong and what to do next, for humans. */
    message: string;
}
export interface User {
    /** The id of the user. */
    id: string;
    /** The email address used to log in. */
    email: string;
    /** The name of the user, or null. */
    name: string | null;
    /** Only an active user can log in. */
    status: 'active' | 'suspended' | 'pending';
    /** When the user was created. */
    created_at: string;
    /** When the user last changed. */
    updated_at: string;
}
export interface Account {
    /** The id of the account. */
    id: string;
    /** The login email of the owner. */
    email: string;
    /** The name of the business or individual. */
    name: string;
    /** Whether the account belongs to a person or a business. */
    type: 'individual' | 'business';
    /** A suspended or pending account accepts no new payments. closed is final. */
    status: 'active' | 'suspended' | 'pending' | 'closed';
    /** When the account was opened. */
    created_at: string;
    /** When the account last changed. */
    updated_at: string;
    settings: {
        /** The ISO 4217 currency code. */
        currency: string;
        /** An IANA time zone. */
        timezone: string;
        /** A BCP 47 language tag. */
        language: string;
    };
}
/** An account as returned in lists, without settings. */
export interface ListedAccount {
    /** The id of the account. */
    id: string;
    /** The login email of the owner. */
    email: string;
    /** The name of the business or individual. */
    name: string;
    /** Whether the account belongs to a person or a business. */
    type: 'individual' | 'business';
    /** A suspended or pending account accepts no new payments. closed is final. */
    status: 'active' | 'suspended' | 'pending' | 'closed';
    /** When the account was opened. */
    created_at: string;
    /** When the account last changed. */
    updated_at: string;
}
export interface Transaction {
    /** The id of the transaction. */
    id: string;
    /** The account that the transaction belongs to. */
    account_id: string;
    /** The amount in minor units. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The type. Payments and credits add to the balance; refunds reduce it. */
    type: 'payment' | 'credit' | 'refund';
    /** The status. It leaves pending exactly once and is then final. */
    status: 'pending' | 'succeeded' | 'failed' | 'canceled';
    /** Your reference, or null. */
    reference: string | null;
    /** Custom key-value data. */
    metadata: Record<string, unknown>;
    /** When the transaction was created. */
    created_at: string;
    /** When the transaction last changed. */
    updated_at: string;
}
/** A transaction as returned on creation and in lists, without updated_at. */
export interface ListedTransaction {
    /** The id of the transaction. */
    id: string;
    /** The account that the transaction belongs to. */
    account_id: string;
    /** The amount in minor units. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The type. Payments and credits add to the balance; refunds reduce it. */
    type: 'payment' | 'credit' | 'refund';
    /** The status. It leaves pending exactly once and is then final. */
    status: 'pending' | 'succeeded' | 'failed' | 'canceled';
    /** Your reference, or null. */
    reference: string | null;
    /** Custom key-value data. */
    metadata: Record<string, unknown>;
    /** When the transaction was created. */
    created_at: string;
}
/** An email as returned in lists, without its content. */
export interface ListedEmail {
    /** The id of the email. */
    id: string;
    /** The account that the email was sent for, or null for an email about a user's login. */
    account_id: string | null;
    /** The kind of email. */
    kind: 'payment_request' | 'payment_reminder' | 'payment_receipt' | 'payment_refund' | 'email_verification' | 'email_change_notice' | 'sign_up_verification' | 'sign_up_attempt' | 'password_reset' | 'password_changed' | 'invitation' | 'payment_received' | 'payment_failed' | 'new_login' | 'weekly_summary' | 'dispute_opened' | 'dispute_closed' | 'webhook_disabled' | 'payout_destination_changed';
    /**
     * queued: waiting for the mail server. sent: accepted by the mail server. failed: permanently
     * rejected. suppressed: over a limit, or about a payment that was already paid or canceled.
     * stored: no mail server is configured, so nothing is sent.
     */
    state: 'queued' | 'sent' | 'failed' | 'suppressed' | 'stored';
    /** The recipient. */
    to: string;
    /** The subject. */
    subject: string;
    /** What triggered the email. Each cause triggers at most one email. */
    cause: string;
    /** The number of delivery attempts. */
    attempts: number;
    /** When the email was created. */
    created_at: string;
    /** When the mail server accepted the email, or null. */
    sent_at: string | null;
    /** The last error of the mail server or the limit, or null. */
    error: string | null;
}
export interface Email {
    /** The id of the email. */
    id: string;
    /** The account that the email was sent for, or null for an email about a user's login. */
    account_id: string | null;
    /** The kind of email. */
    kind: 'payment_request' | 'payment_reminder' | 'payment_receipt' | 'payment_refund' | 'email_verification' | 'email_change_notice' | 'sign_up_verification' | 'sign_up_attempt' | 'password_reset' | 'password_changed' | 'invitation' | 'payment_received' | 'payment_failed' | 'new_login' | 'weekly_summary' | 'dispute_opened' | 'dispute_closed' | 'webhook_disabled' | 'payout_destination_changed';
    /**
     * queued: waiting for the mail server. sent: accepted by the mail server. failed: permanently
     * rejected. suppressed: over a limit, or about a payment that was already paid or canceled.
     * stored: no mail server is configured, so nothing is sent.
     */
    state: 'queued' | 'sent' | 'failed' | 'suppressed' | 'stored';
    /** The recipient. */
    to: string;
    /** The subject. */
    subject: string;
    /** What triggered the email. Each cause triggers at most one email. */
    cause: string;
    /** The number of delivery attempts. */
    attempts: number;
    /** When the email was created. */
    created_at: string;
    /** When the mail server accepted the email, or null. */
    sent_at: string | null;
    /** The last error of the mail server or the limit, or null. */
    error: string | null;
    /** The plain-text version. */
    text: string;
    /** The HTML version. */
    html: string;
}
/** Amounts are in minor units. */
export interface Balance {
    /** The account. */
    account_id: string;
    /** The ISO 4217 currency code. */
    currency: string;
    /** Settled funds that are not held. Refunds are paid from it. */
    available: number;
    /** Pending payments and credits. */
    incoming: number;
    /** Funds reserved for pending refunds and open payouts. */
    held: number;
    /**
     * What the account owes after fees, disputes or refunds that its available balance did not cover.
     * Money that becomes available repays it first.
     */
    owed: number;
    /** When the balance last changed, or when the account was opened. */
    updated_at: string;
}
export interface StatementLine {
    /** The sequence number of the posting. Not every posting is a line, so there are gaps. */
    sequence: number;
    /** When the posting was made. */
    created_at: string;
    /** The transaction, payout (po_…) or transfer (tr_…) that caused the posting. */
    transaction_id: string;
    /**
     * The type of the transaction, or what else changed the balance: the fee of a payment, a dispute
     * (negative when it is opened, positive when it is won), a transfer to or from another account,
     * an overdraw (what the account owes from now on), its repayment, or a payout.
     */
    type: 'payment' | 'credit' | 'refund' | 'fee' | 'dispute' | 'transfer' | 'overdraw' | 'repay' | 'payout';
    /**
     * The current status of the transaction. A payout or transfer is pending until it is paid or
     * completed, and failed if the money was returned.
     */
    status: 'pending' | 'succeeded' | 'failed' | 'canceled';
    /** The current reference of the transaction. */
    reference: string | null;
    /** The change of the available balance in minor units; negative for debits. */
    amount: number;
    /** The available balance after this line. */
    available_after: number;
}
export interface Session {
    /** The id of the session. */
    id: string;
    /** Whether this request belongs to this session. */
    current: boolean;
    /** The IP address of the login. */
    address: string;
    /** The user agent of the login. */
    user_agent: string | null;
    /** When the session started. */
    created_at: string;
    /** When the tokens were last refreshed. */
    refreshed_at: string;
    /** When the session ends, no matter how often it is refreshed. */
    expires_at: string;
}
/** A permission of an API key. * grants everything. */
export type Scope = 'accounts:read' | 'transactions:write' | 'transactions:read' | 'payments:write' | 'payments:read' | 'payment_links:read' | 'payment_links:write' | 'disputes:read' | 'disputes:write' | 'transfers:read' | 'payouts:read' | 'subscriptions:write' | 'subscriptions:read' | 'customers:read' | 'balance:read' | 'events:read' | 'request_logs:read' | '*' | 'users:read' | 'users:write' | 'members:write' | 'accounts:write' | 'transfers:write' | 'bank_statements:read' | 'bank_statements:write' | 'settlements:read';
/** An event type, or all types of one object. */
export type EventFilter = 'user.created' | 'user.updated' | 'user.deleted' | 'account.created' | 'account.updated' | 'account.closed' | 'transaction.created' | 'transaction.updated' | 'transaction.succeeded' | 'transaction.failed' | 'transaction.canceled' | 'payment.created' | 'payment.succeeded' | 'payment.failed' | 'payment.canceled' | 'payment_link.created' | 'payment_link.updated' | 'subscription.created' | 'subscription.updated' | 'subscription.canceled' | 'dispute.created' | 'dispute.updated' | 'dispute.won' | 'dispute.lost' | 'transfer.created' | 'transfer.completed' | 'transfer.returned' | 'transfer.received' | 'payout.created' | 'payout.approved' | 'payout.in_transit' | 'payout.paid' | 'payout.failed' | 'payout.canceled' | 'payout.returned' | 'api_key.created' | 'api_key.revoked' | 'user.*' | 'account.*' | 'transaction.*' | 'payment.*' | 'payment_link.*' | 'subscription.*' | 'dispute.*' | 'transfer.*' | 'payout.*' | 'api_key.*';
export interface EventFields {
    /** The id of the event. */
    id: string;
    /** The event type. */
    type: 'user.created' | 'user.updated' | 'user.deleted' | 'account.created' | 'account.updated' | 'account.closed' | 'transaction.created' | 'transaction.updated' | 'transaction.succeeded' | 'transaction.failed' | 'transaction.canceled' | 'payment.created' | 'payment.succeeded' | 'payment.failed' | 'payment.canceled' | 'payment_link.created' | 'payment_link.updated' | 'subscription.created' | 'subscription.updated' | 'subscription.canceled' | 'dispute.created' | 'dispute.updated' | 'dispute.won' | 'dispute.lost' | 'transfer.created' | 'transfer.completed' | 'transfer.returned' | 'transfer.received' | 'payout.created' | 'payout.approved' | 'payout.in_transit' | 'payout.paid' | 'payout.failed' | 'payout.canceled' | 'payout.returned' | 'api_key.created' | 'api_key.revoked';
    /** The account that the event belongs to. */
    account_id: string;
    /** The sequence number within the account, starting at 1, without gaps. */
    sequence: number;
    /** When the event occurred. */
    created_at: string;
    /** The object at the time of the event. Its schema depends on the type. */
    data: User | Account | Transaction | Payment | PaymentLink | Subscription | Dispute | Transfer | Payout | ApiKey;
}
export interface RequestLogEntry {
    /** The Request-Id of the response. */
    id: string;
    /** The account that the request acted on. */
    account_id: string;
    /** When the request was received, in real time. */
    created_at: string;
    /** The HTTP method. */
    method: string;
    /** The path with its query string. */
    path: string;
    /** The HTTP status of the response. */
    status: number;
    /** The time until the response, in milliseconds. */
    duration_ms: number;
    /** The caller. */
    caller: {
        /** Whether a user or an API key made the request. */
        kind: 'user' | 'api_key';
        /** The id of the user or API key. */
        id: string;
    };
    /** Whether the request had an Idempotency-Key. */
    idempotency_key: boolean;
    /** The error code, or null on success. */
    error: string | null;
    /**
     * Sandbox mode only: the body as JSON text, without secrets, up to 4 KiB. null if some readers of
     * the log may not call the endpoint.
     */
    request_body: string | null;
    /**
     * Sandbox mode only: the response as JSON text, without secrets, up to 4 KiB. null if some
     * readers of the log may not call the endpoint.
     */
    response_body: string | null;
}
export interface ApiKey {
    /** The id of the key. */
    id: string;
    /** The name of the key. */
    name: string;
    /** The operations that the key may perform. */
    scopes: string[];
    /** The last four characters of the key. */
    last4: string;
    /** When the key was created. */
    created_at: string;
    /** When the key was last used, to the minute, or null. */
    last_used_at: string | null;
    /** When the key was revoked; null while it is active. */
    revoked_at: string | null;
}
export interface CreatedApiKey {
    /** The id of the key. */
    id: string;
    /** The name of the key. */
    name: string;
    /** The operations that the key may perform. */
    scopes: string[];
    /** The last four characters of the key. */
    last4: string;
    /** When the key was created. */
    created_at: string;
    /** When the key was last used, to the minute, or null. */
    last_used_at: string | null;
    /** When the key was revoked; null while it is active. */
    revoked_at: string | null;
    /** The API key. It is shown only once. */
    key: string;
}
export interface Factor {
    /** The id of the factor. */
    id: string;
    /** totp: an authenticator app with codes that change every 30 seconds. */
    kind: 'totp' | 'passkey';
    /** The name of the factor. */
    name: string;
    /** When the factor was added. */
    created_at: string;
    /** When the factor was last used, or null. */
    last_used_at: string | null;
}
export interface FactorList {
    data: Factor[];
    /** The number of unused recovery codes. */
    recovery_codes_left: number;
}
export interface StartedTotp {
    /** The id of the factor. */
    id: string;
    /** The secret in base32, to type into the app. It is shown only once. */
    secret: string;
    /** The same secret as an otpauth URI, for a QR code. */
    uri: string;
}
export interface AddedFactor {
    factor: Factor;
    /**
     * Ten codes, each of which replaces a factor once. They are shown only once. null if you already
     * have some.
     */
    recovery_codes: string[] | null;
}
export interface RecoveryCodes {
    /** Ten codes, each of which replaces a factor once. They are shown only once. */
    recovery_codes: string[];
}
export interface ListCount {
    /** The number of entries, up to 10,000. */
    count: number;
    /** False if there are more entries than the count. */
    is_exact: boolean;
}
export interface TransactionDetails {
    /** The id of the transaction. */
    transaction_id: string;
    /**
     * The total of linked refunds that are pending or succeeded, in minor units. Failed and canceled
     * refunds do not count.
     */
    refunded_amount: number;
    /** The pending part of refunded_amount. */
    pending_refund_amount: number;
    /**
     * The maximum amount of another refund: the amount minus refunded_amount for a succeeded payment,
     * 0 for any other transaction.
     */
    refundable_amount: number;
    /** The payment that this refund is linked to, or null. */
    refund_of: string | null;
    /**
     * The payment request that this transaction paid, or that this linked refund pays back; otherwise
     * null.
     */
    payment_id: string | null;
    /** The customer of that payment request, or null. */
    customer_email: string | null;
}
/** What a provider collected for a payment. */
export interface Charge {
    object: 'charge';
    /** The payment that the charge paid. */
    transaction_id: string;
    /** The provider that collected the money. */
    provider: 'stripe' | 'mollie' | 'sandbox' | 'bank_transfer';
    /** The provider's id of the charge. */
    charge_id: string;
    /** The amount in minor units. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The provider's fee; null until the provider has determined it. */
    fee: number | null;
    /** The amount without the fee; null until the fee is known. */
    net: number | null;
    /** The amount of its pending and succeeded refunds. */
    refunded_amount: number;
    /** Whether the payment has a dispute that was not won. It cannot be refunded. */
    disputed: boolean;
    /** The card, or null for other payment methods. */
    card: {
        /** The brand of the card. */
        brand: string;
        /** The last four digits. */
        last4: string;
    } | null;
    /** The visit to the provider's page; null in the sandbox. */
    checkout_id: string | null;
}
export interface Posting {
    /** The sequence number within the account, without gaps. */
    sequence: number;
    /** The balance bucket debited. */
    from: 'external' | 'incoming' | 'available' | 'held';
    /** The balance bucket credited. */
    to: 'external' | 'incoming' | 'available' | 'held';
    /** The amount in minor units. */
    amount: number;
    /** The available balance after this posting. */
    available_after: number;
    /** When the posting was made. */
    created_at: string;
}
export interface Volume {
    /** The account. */
    account_id: string;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The account's time zone. */
    timezone: string;
    /** The length of a bucket. */
    interval: string;
    /** The start, inclusive. */
    from: string;
    /** The end, inclusive. */
    to: string;
    /** Totals of the whole period. */
    totals: {
        /** The total of succeeded payments and credits, in minor units. */
        in: number;
        /** The total of succeeded refunds, in minor units. */
        out: number;
        /** The number of transactions created in this period that have succeeded. */
        succeeded: number;
        /** The number that have failed. */
        failed: number;
        /** The number that were canceled. */
        canceled: number;
        /** The number that are pending. */
        pending: number;
        /** The number of declined card attempts on payment requests. */
        declined_attempts: number;
        /** succeeded / (succeeded + failed + declined_attempts), from 0 to 1; null when all are 0. */
        success_rate: number | null;
    };
    /** The preceding period of the same length. */
    previous: {
        /** The start, inclusive. */
        from: string;
        /** The end, inclusive. */
        to: string;
        /** The total of succeeded payments and credits, in minor units. */
        in: number;
        /** The total of succeeded refunds, in minor units. */
        out: number;
        /** The number of transactions created in this period that have succeeded. */
        succeeded: number;
        /** The number that have failed. */
        failed: number;
        /** The number that were canceled. */
        canceled: number;
        /** The number that are pending. */
        pending: number;
        /** The number of declined card attempts on payment requests. */
        declined_attempts: number;
        /** succeeded / (succeeded + failed + declined_attempts), from 0 to 1; null when all are 0. */
        success_rate: number | null;
        /** Buckets of the previous period, oldest first. */
        buckets: {
            /** The start, inclusive. */
            from: string;
            /** The end, inclusive. */
            to: string;
            /** The total of succeeded payments and credits, in minor units. */
            in: number;
            /** The total of succeeded refunds, in minor units. */
            out: number;
            /** The number of transactions created in this period that have succeeded. */
            succeeded: number;
            /** The number that have failed. */
            failed: number;
            /** The number that were canceled. */
            canceled: number;
            /** The number that are pending. */
            pending: number;
            /** The number of declined card attempts on payment requests. */
            declined_attempts: number;
        }[];
    };
    /** Buckets of the period, oldest first, without gaps. */
    buckets: {
        /** The start, inclusive. */
        from: string;
        /** The end, inclusive. */
        to: string;
        /** The total of succeeded payments and credits, in minor units. */
        in: number;
        /** The total of succeeded refunds, in minor units. */
        out: number;
        /** The number of transactions created in this period that have succeeded. */
        succeeded: number;
        /** The number that have failed. */
        failed: number;
        /** The number that were canceled. */
        canceled: number;
        /** The number that are pending. */
        pending: number;
        /** The number of declined card attempts on payment requests. */
        declined_attempts: number;
    }[];
}
export interface Overview {
    /** The start, inclusive. */
    from: string;
    /** The end, inclusive. */
    to: string;
    /** The number of all accounts, including closed ones. */
    accounts: number;
    /** Totals of the whole period. */
    totals: {
        /** The number of accounts that were created. */
        accounts_created: number;
        /** The number of transactions created in this period that have succeeded. */
        succeeded: number;
        /** The number that have failed. */
        failed: number;
    };
    /** Totals of the 30 days before. */
    previous: {
        /** The number of accounts that were created. */
        accounts_created: number;
        /** The number of transactions created in this period that have succeeded. */
        succeeded: number;
        /** The number that have failed. */
        failed: number;
    };
    /** One entry per currency, the one with the most transactions first. */
    volumes: {
        /** The ISO 4217 currency code. */
        currency: string;
        /** The total of succeeded payments and credits, in minor units. */
        in: number;
        /** The total of succeeded refunds, in minor units. */
        out: number;
        /** The number of transactions created in this period that have succeeded. */
        succeeded: number;
        /** The number that have failed. */
        failed: number;
        /** The total of payments and credits in the 30 days before. */
        previous_in: number;
    }[];
    /** Days of the period, oldest first, without gaps. */
    days: {
        /** The start, inclusive. */
        from: string;
        /** The end, inclusive. */
        to: string;
        /** The number of accounts that were created. */
        accounts_created: number;
        /** The number of transactions created in this period that have succeeded. */
        succeeded: number;
        /** The number that have failed. */
        failed: number;
    }[];
    /** The ten newest accounts, newest first. */
    newest_accounts: ListedAccount[];
}
export interface Attention {
    /** The account. */
    account_id: string;
    /** The time of the report. */
    at: string;
    /** Failed transactions created since then, newest first. */
    failed: {
        /** 24 hours plus the settlement time of the processor ago. */
        since: string;
        /** The number of objects; 1000 means 1000 or more. */
        count: number;
        /** The first five ids. */
        ids: string[];
        /**
         * The path and query that lists all of them. Send it with the same token and Florin-Account.
         */
        list: string;
    };
    /** Pending transactions created before then, oldest first. */
    pending_long: {
        /** An hour ago, or twice the settlement time of the processor. */
        before: string;
        /** The number of objects; 1000 means 1000 or more. */
        count: number;
        /** The first five ids. */
        ids: string[];
        /**
         * The path and query that lists all of them. Send it with the same token and Florin-Account.
         */
        list: string;
    };
    /** Payment requests that failed since then, newest first. */
    payments_failed: {
        /** 24 hours ago. */
        since: string;
        /** The number of objects; 1000 means 1000 or more. */
        count: number;
        /** The first five ids. */
        ids: string[];
        /**
         * The path and query that lists all of them. Send it with the same token and Florin-Account.
         */
        list: string;
    };
    /** Pending payment requests that expire by then, soonest first. */
    payments_expiring: {
        /** Three days from now. */
        by: string;
        /** The number of objects; 1000 means 1000 or more. */
        count: number;
        /** The first five ids. */
        ids: string[];
        /**
         * The path and query that lists all of them. Send it with the same token and Florin-Account.
         */
        list: string;
    };
    /**
     * Payments since then that a provider received for a request that had ended, or with another
     * amount, newest first. Refunded unless FLORIN_LATE_PAYMENTS is "keep".
     */
    late_payments: {
        /** 24 hours ago. */
        since: string;
        /** The number of payments; 100 means 100 or more. */
        count: number;
        /** The first five ids. */
        ids: string[];
        /**
         * The path and query that lists all of them, with their refunds. Send it with the same token
         * and Florin-Account. null if there are none.
         */
        list: string | null;
    };
    /** Disputes that await a decision, newest first. */
    disputes: {
        /** The number of objects; 1000 means 1000 or more. */
        count: number;
        /** The first five ids. */
        ids: string[];
        /**
         * The path and query that lists all of them. Send it with the same token and Florin-Account.
         */
        list: string;
    };
    /** Enabled endpoints whose deliveries fail. null if the caller may not manage webhooks. */
    webhooks_failing: {
        /** The number of objects; 1000 means 1000 or more. */
        count: number;
        /** The first five ids. */
        ids: string[];
        /**
         * The path and query that lists all of them. Send it with the same token and Florin-Account.
         */
        list: string;
    } | null;
    /**
     * Endpoints that Florin disabled after repeated failures. null if the caller may not manage
     * webhooks.
     */
    webhooks_disabled: {
        /** The number of objects; 1000 means 1000 or more. */
        count: number;
        /** The first five ids. */
        ids: string[];
        /**
         * The path and query that lists all of them. Send it with the same token and Florin-Account.
         */
        list: string;
    } | null;
}
export interface AuditEntry {
    /** The id of the entry. */
    id: string;
    /** The action: an object and a verb. */
    action: string;
    /**
     * The actor: a role, anonymous for sign-up and links, operator for the CLI, or worker for
     * background jobs.
     */
    actor_role: string;
    /** The id of the user or API key, or null. */
    actor_id: string | null;
    /** The id of the affected object, or null if it has none. */
    object_id: string | null;
    /** The account, or null. */
    account_id: string | null;
    /** The Request-Id of the request, or null. */
    request_id: string | null;
    /** The changed fields. Never contains secrets. */
    details: Record<string, unknown>;
    /** When the action was performed. */
    created_at: string;
}
export interface Health {
    server: {
        /** The version of Florin. */
        version: string;
        /** The mode of the server. */
        mode: 'sandbox' | 'live';
        /** Whether an SMTP server is configured. Without one, no email is sent. */
        sends_email: boolean;
        /** Admins without a second factor. Always 0 in sandbox mode, which requires none. */
        admins_without_factor: number;
        /** When this process started. */
        started_at: string;
        /** The last hour of this process, one point per ten seconds, oldest first. */
        history: ({
            /** The end of the ten-second interval. */
            at: string;
            requests_per_s: {
                /** Successful responses. */
                '2xx': number;
                /** Redirects. */
                '3xx': number;
                /** Client errors. */
                '4xx': number;
                /** Server errors. */
                '5xx': number;
            };
            latency_ms: {
                /** The median latency, or null without requests. */
                p50: number | null;
                /** The 99th percentile latency, or null without requests. */
                p99: number | null;
            };
            lanes: {
                transactions: {
                    /** Waiting changes. */
                    waiting: number;
                    /** Mean changes per database transaction, or null without any. */
                    batch_size: number | null;
                };
                payments: {
                    /** Waiting changes. */
                    waiting: number;
                    /** Mean changes per database transaction, or null without any. */
                    batch_size: number | null;
                };
                subscriptions: {
                    /** Waiting changes. */
                    waiting: number;
                    /** Mean changes per database transaction, or null without any. */
                    batch_size: number | null;
                };
            };
            pool: {
                /** Connections in use. */
                busy: number;
                /** Idle connections. */
                idle: number;
                /** Requests waiting for a connection. */
                waiting: number;
            };
            event_loop_delay_ms: {
                /** The median event loop delay. */
                p50: number;
                /** The 99th percentile event loop delay. */
                p99: number;
            };
            /** The resident memory of the process. */
            rss_bytes: number;
        })[];
    };
    database: {
        /** The version of PostgreSQL. */
        version: string;
        /** The size of the database on disk. */
        size_bytes: number;
        connections: {
            /** Connections that run a statement, including this one. */
            active: number;
            /** Idle connections. */
            idle: number;
            /** Connections idle in a database transaction. */
            in_transaction: number;
            /** The maximum number of connections. */
            max: number;
        };
        settings: {
            /** The value of the setting: on is recommended. */
            fsync: string;
            /** The value of the setting: on is recommended. */
            full_page_writes: string;
            /** The value of the setting: on is recommended. */
            synchronous_commit: string;
            /** The value of the setting: on is recommended. */
            data_checksums: string;
        };
        /** The age of the oldest open database transaction in seconds, or null. */
        oldest_transaction_s: number | null;
    };
    worker: {
        /** Whether a worker is running. */
        running: boolean;
        /** When a worker last renewed a lease, or null if none ever ran. */
        last_seen_at: string | null;
        jobs: {
            /** The name of the job. */
            name: string;
            /** The number of slots that workers hold. */
            slots_held: number;
            /** When a lease was last renewed. */
            last_seen_at: string;
        }[];
        /** Transactions due for settlement. */
        transactions_due: number;
        /** Payment requests due for a reminder or for expiry. */
        payments_due: number;
        /** Subscriptions due for their next payment request. */
        subscriptions_due: number;
        emails: {
            /** Waiting emails; 1000 means 1000 or more. */
            waiting: number;
            /** The number of those that are due now. */
            due: number;
        };
        webhooks: {
            /** Waiting deliveries; 1000 means 1000 or more. */
            waiting: number;
            /** The number of those that are due now. */
            due: number;
        };
        provider_events: {
            /** Waiting messages of payment providers; 1000 means 1000 or more. */
            waiting: number;
            /** The number of those that are due now. */
            due: number;
        };
        closings: {
            /** Closed accounts whose leftover rows are still being canceled. */
            open: number;
            /** The age of the oldest one; null if there are none. */
            oldest_s: number | null;
            /** Closings without progress for ten minutes. */
            stalled: number;
        };
    };
}
export interface Subscription {
    /** The id of the subscription. */
    id: string;
    /** The account that requests the payments. */
    account_id: string;
    /** The email address of the customer who pays. */
    customer_email: string;
    /** The amount per period in minor units. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The unit of the billing period. */
    interval: 'day' | 'week' | 'month' | 'year';
    /** The number of units in a billing period. */
    interval_count: number;
    /** Only an active subscription creates payment requests. canceled is final. */
    status: 'active' | 'paused' | 'canceled';
    /** Your reference, or null. */
    reference: string | null;
    /** Custom key-value data. */
    metadata: Record<string, unknown>;
    /** When the next period starts; null unless active. */
    next_at: string | null;
    /** When the subscription was created and its first period started. */
    created_at: string;
    /** When the subscription was last changed. A new period does not count. */
    updated_at: string;
}
export interface Customer {
    /** The id of the customer. */
    id: string;
    /** The account that the customer pays. */
    account_id: string;
    /** The email address, as first spelled. Unique in the account, ignoring case. */
    email: string;
    /** The currency of the amounts. */
    currency: string;
    /** What the customer paid, before refunds. In minor units. */
    total_paid: number;
    /** What was refunded, including pending refunds. In minor units. */
    refunded: number;
    /** What the customer has still to pay. In minor units. */
    open: number;
    /** How many payment requests the customer has. */
    requests: number;
    /** How many of them are paid. */
    paid_requests: number;
    /** How many of them are pending. */
    open_requests: number;
    /** How many active subscriptions the customer has. */
    active_subscriptions: number;
    /** When the first payment request was created. */
    created_at: string;
    /** When a payment request or subscription of the customer changed. */
    last_activity_at: string;
    /**
     * null, or for a customer with more than 5,000 payment requests: amounts and counts include only
     * requests created at or after this time.
     */
    totals_from: string | null;
    /** When the personal data was erased, or null. The email is then a keyed hash. */
    erased_at: string | null;
}
export interface Processor {
    object: 'processor';
    /** The mode of the server. */
    mode: 'sandbox' | 'live';
    /** The configured providers; empty with the sandbox and with transfers only. */
    providers: ({
        /** The provider. */
        name: 'stripe' | 'mollie';
        /** Whether the configured key moves real money. */
        is_live: boolean;
        /** failing: nothing has succeeded since the last error. */
        state: 'ok' | 'failing';
        /**
         * When a message of the provider last arrived, to within ten seconds; null if none ever did.
         */
        last_webhook_at: string | null;
        /** When the changes at the provider were last listed, which happens every minute; or null. */
        last_sweep_at: string | null;
        /** The last error of the provider, or null. */
        last_error: string | null;
        /** When it occurred, or null. */
        last_error_at: string | null;
        /** Messages that are not processed yet; 1000 means 1000 or more. */
        backlog: number;
        /** When the oldest of them arrived, or null. */
        oldest_backlog_at: string | null;
        /**
         * Payments that the provider received and that belong to no payment request of this server.
         * Nothing was recorded for them: refund them at the provider.
         */
        unmatched: {
            /** The number of these payments. */
            count: number;
            /** The newest 20. */
            data: {
                /** The message that reported the payment. */
                event_id: string;
                /** The payment, as the provider names it. */
                provider_id: string;
                /** The amount in the currency's minor unit. */
                amount: number;
                /** The currency. */
                currency: string;
                /** When the message arrived. */
                received_at: string;
            }[];
        };
    })[];
    /** Whether the payment page shows how to pay by transfer. */
    transfers: boolean;
    /** What happens to money that arrives after its payment request has ended. */
    late_payments: 'refund' | 'keep';
    /** Refunds whose outcome is not known yet; 1000 means 1000 or more. */
    pending_refunds: number;
}
export interface Dispute {
    /** The id of the dispute. */
    id: string;
    /** The account that received the payment. */
    account_id: string;
    /** The payment that the cardholder disputes. */
    transaction_id: string;
    /** The disputed amount in minor units. It may exceed the payment. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The reason of the cardholder, as the provider names it. */
    reason: string;
    /**
     * needs_response until evidence was submitted, under_review until the bank decides. If won, the
     * amount is returned to the account.
     */
    status: 'needs_response' | 'under_review' | 'won' | 'lost';
    /** The provider that collected the payment. */
    provider: 'stripe' | 'mollie' | 'sandbox';
    /** The provider's id of the dispute. */
    provider_dispute_id: string;
    /** Where to submit evidence; null if the provider accepts none. */
    evidence_url: string | null;
    /** Until when evidence is accepted; null if the provider sets no time. */
    due_at: string | null;
    /** When Florin recorded the dispute and withdrew its amount. */
    created_at: string;
    /** When the dispute last changed. */
    updated_at: string;
}
export interface Transfer {
    /** The id of the transfer. */
    id: string;
    /** The account whose view this is: the source or a recipient. */
    account_id: string;
    /** outgoing for the source, incoming for the target, fee for the fee account. */
    direction: 'outgoing' | 'incoming' | 'fee';
    /** The source. */
    from_account_id: string;
    /** The target. */
    to_account_id: string;
    /** What the source was debited, in minor units. The target gets it minus the fee. */
    amount: number;
    /** The part of amount that fee_account_id gets. */
    fee_amount: number;
    /** The account that gets the fee; null without one. */
    fee_account_id: string | null;
    /** The ISO 4217 currency code of all accounts of the transfer. */
    currency: string;
    /** Your reference, or null. */
    reference: string | null;
    /**
     * in_transit until the target was credited, usually for about a second. returned if the target
     * did not accept it.
     */
    status: 'in_transit' | 'completed' | 'returned';
    /**
     * What the source got back: everything if returned, the fee if only the fee account did not
     * accept it, else 0.
     */
    returned_amount: number;
    /** Why an account did not accept its part; null if none was returned. */
    return_reason: 'account_closed' | 'account_not_active' | 'currency_changed' | 'balance_limit' | null;
    /** When the source was debited. */
    created_at: string;
    /** When the transfer last changed. */
    updated_at: string;
}
export interface TransferFee {
    /** The account whose outgoing transfers have this fee. */
    account_id: string;
    /** The account that gets the fee; null without one. */
    fee_account_id: string | null;
    /** Hundredths of a percent of the amount: 200 is 2 %. Rounded down. */
    basis_points: number;
    /** In minor units, added to the percentage. */
    fixed_amount: number;
    /** When the fee was set; null without one. */
    updated_at: string | null;
}
export interface Payout {
    /** The id of the payout. */
    id: string;
    /** The account that is paid out. */
    account_id: string;
    /** The amount in minor units. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /**
     * pending_approval until an admin or a platform user approves it, approved until it is exported
     * for the bank, in_transit until the bank has executed (paid) or rejected it (failed). A paid one
     * may be returned by the bank. The amount is held until paid, and available again if failed,
     * canceled or returned.
     */
    status: 'pending_approval' | 'approved' | 'in_transit' | 'paid' | 'failed' | 'canceled' | 'returned';
    /** The bank account, as it was when the payout was created. */
    destination: {
        /** The name of the account holder, as at the bank. */
        name: string;
        /** The IBAN without spaces. */
        iban: string;
        /** The BIC, or null. */
        bic: string | null;
    };
    /** The text on the bank statement of the recipient, or null for the id. */
    reference: string | null;
    /** Why the bank rejected or returned it, or null. */
    reason: string | null;
    /** The user who created the payout. */
    created_by: string;
    /** The user who approved the payout; null if it is not or needed no approval. */
    approved_by: string | null;
    /** The export that contains the payout, or null. */
    export_id: string | null;
    /** When the payout was created. */
    created_at: string;
    /** When the payout last changed. */
    updated_at: string;
}
export interface PayoutSettings {
    /** The account. */
    account_id: string;
    /** The bank account for payouts; null if none was set. */
    destination: {
        /** The name of the account holder, as at the bank. */
        name: string;
        /** The IBAN without spaces. */
        iban: string;
        /** The BIC, or null. */
        bic: string | null;
    } | null;
    /**
     * Whether the next payout needs approval whatever its amount: none to this destination has been
     * approved yet.
     */
    next_needs_approval: boolean;
    /**
     * Payouts that exceed this total within 24 hours, in minor units, need approval; null if none
     * does. Unless an admin has set it: 0 in live mode, null in sandbox mode.
     */
    approval_limit: number | null;
    /** When the settings last changed; null if they never did. */
    updated_at: string | null;
}
export interface PayoutExport {
    /** The id of the export. */
    id: string;
    /** The ISO 4217 currency code. */
    currency: string;
    /** The number of payouts in the file. */
    payouts: number;
    /** The number of refunds of bank transfers in the file. */
    refunds: number;
    /** Their sum in minor units. */
    amount: number;
    /** The user who created the export. */
    created_by: string;
    /** When the export was created. */
    created_at: string;
}
export interface BankStatement {
    /** The id of the statement. */
    id: string;
    /** The operator's bank account: its IBAN, or another number. */
    bank_account: string;
    /** The format of the file. */
    format: 'camt.053' | 'camt.054' | 'mt940' | 'ofx' | 'csv';
    /** The bank's id of the statement. */
    bank_id: string | null;
    /** The bank's number of the statement. */
    sequence: string | null;
    /** The ISO 4217 currency code. */
    currency: string | null;
    /** The balance before the first entry; null if the file has none. */
    opening_balance: {
        /** In minor units; negative if overdrawn. */
        amount: number;
        /** The day, YYYY-MM-DD. */
        on: string | null;
    } | null;
    /** The balance after the last entry; null if the file has none. */
    closing_balance: {
        /** In minor units; negative if overdrawn. */
        amount: number;
        /** The day, YYYY-MM-DD. */
        on: string | null;
    } | null;
    /** The number of booked entries. */
    entry_count: number;
    /**
     * Those that no statement imported before had. Two equal entries without a bank reference in two
     * files count as one.
     */
    new_count: number;
    /** Entries that the bank had not booked. They are not stored. */
    pending_count: number;
    /** Why the statement does not continue the one before it; null if it does, or if unknown. */
    gap: string | null;
    /** When the statement was imported. */
    created_at: string;
}
/** A transaction on a bank statement. */
export interface BankEntry {
    /** The id of the entry. */
    id: string;
    /** The statement that had it first. */
    statement_id: string;
    /** The operator's bank account: its IBAN, or another number. */
    bank_account: string;
    /** The amount in minor units, never negative. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** credit: money arrived. debit: money left. */
    direction: 'credit' | 'debit';
    /** Whether the bank takes back an earlier entry. */
    is_reversal: boolean;
    /**
     * false if the transfers in the entry do not add up to its amount. Then a match needs late, and
     * the entry has no payer if there may be several.
     */
    is_complete: boolean;
    /** The day of the booking. */
    booked_on: string | null;
    /** The value date. */
    value_on: string | null;
    /** The bank's reference. */
    bank_reference: string | null;
    /** Set by the payer. */
    end_to_end_id: string | null;
    /** The structured reference. */
    creditor_reference: string | null;
    /** The payer or payee. */
    counterparty_name: string | null;
    /** The IBAN or number of the payer or payee. */
    counterparty_account: string | null;
    /** What the payer wrote. */
    remittance: string | null;
    /** The ISO code of a returned transfer. */
    return_reason: string | null;
    /**
     * new until it is matched; open if a person must decide; settling and then settled; or ignored.
     */
    status: 'new' | 'open' | 'settling' | 'settled' | 'ignored';
    /**
     * Why it did not settle by itself: unknown, short, over, late, already_paid, wrong_currency,
     * ambiguous, reversal, returned or incomplete_batch.
     */
    reason: string | null;
    /** What it may pay, most likely first. */
    proposals: ({
        /** A payment request that the entry may pay. */
        payment_id: string;
        /** What speaks for it, and how the entry differs from it. */
        reasons: string[];
        /** Received minus expected; null in another currency. */
        difference: number | null;
    })[];
    /** The payment request that it pays. */
    payment_id: string | null;
    /** The account of that request. */
    account_id: string | null;
    /** The id of what it has settled. */
    settles: string | null;
    /** The note of the person who decided. */
    note: string | null;
    /** When the entry was imported. */
    created_at: string;
    /** When the entry last changed. */
    updated_at: string;
}
/** How the CSV export of a bank is read. */
export interface BankColumnMap {
    /** The name. */
    name: string;
    /** As it was saved. */
    column_map: Record<string, unknown>;
    /** When it was saved. */
    updated_at: string;
}
/** A transfer from the operator's balance at a payment provider to its bank. */
export interface Settlement {
    /** The id of the settlement. */
    id: string;
    /** The payment provider. */
    provider: 'stripe' | 'mollie';
    /** The provider's id of the settlement. */
    provider_id: string;
    /** In minor units; negative if the provider debits the bank account. */
    amount: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** paid when the provider has sent the money; failed if the bank returned it. */
    status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
    /**
     * Whether all entries are known. unavailable: the provider does not list them, for example
     * because a person chose the amount.
     */
    entries: 'complete' | 'in_progress' | 'unavailable';
    /** The entries by kind. If all are known, the nets add up to the amount. */
    lines: ({
        /**
         * other: fees of the provider, and charges of other programs. remainder: what the settlement
         * contains beyond its entries, which should be 0.
         */
        kind: 'charge' | 'refund' | 'dispute' | 'other' | 'remainder';
        /** The number of entries. */
        count: number;
        /** The sum of their amounts in minor units. */
        amount: number;
        /** The sum of their fees. */
        fee: number;
        /** The amount without the fees. */
        net: number;
    })[];
    /** What names the settlement on the bank statement. */
    references: string[];
    /** The entry of a bank statement that shows the settlement, or null. */
    bank_entry_id: string | null;
    /** The entry with which the bank has taken the settlement back, or null. */
    returned_entry_id: string | null;
    /** When the provider created the settlement. */
    created_at: string;
    /** When the money is expected at the bank. */
    arrives_at: string;
}
/** A change of the operator's balance at a provider. */
export interface BalanceEntry {
    /** The id of the entry. */
    id: string;
    /** The provider's id of the entry. */
    provider_id: string;
    /** other: fees of the provider, and charges of other programs. */
    kind: 'charge' | 'refund' | 'dispute' | 'other';
    /** The provider's id of the charge, refund or dispute. */
    source_id: string | null;
    /** The account that it belongs to; null if it belongs to none. */
    account_id: string | null;
    /** In minor units; negative if it reduces the balance. */
    amount: number;
    /** The provider's fee. */
    fee: number;
    /** The amount without the fee. */
    net: number;
    /** The ISO 4217 currency code. */
    currency: string;
    /** When the provider created the entry. */
    created_at: string;
}
/** The ledger, the providers and the bank side by side. */
export interface Reconciliation {
    object: 'reconciliation';
    /** When the worker last compared; null if it never did. */
    compared_at: string | null;
    /** By provider and currency. */
    lines: ({
        /** The payment provider. */
        provider: string;
        /** The ISO 4217 currency code. */
        currency: string;
        /** What is compared. */
        line: 'charges' | 'fees' | 'refunds' | 'disputes' | 'other' | 'settled' | 'remainder' | 'balance' | 'payouts' | 'bank_fees' | 'open';
        /** The sum in the ledger; null if it does not have this line. */
        ledger: number | null;
        /** The sum at the provider; null if it is not known. */
        at_provider: number | null;
        /** The sum on bank statements; null if it is not known. */
        at_bank: number | null;
        /** The part that only one side can have yet. */
        in_progress: number;
        /** What does not agree; 0 if everything does. */
        difference: number;
    })[];
    /** The number of differences. */
    difference_count: number;
    /** The first 100 differences. */
    differences: ({
        /** The violated rule. */
        rule: string;
        /** The account, or null. */
        account_id: string | null;
        /** What differs. */
        object: string;
        /** What was found. */
        found: string;
        /** What was expected. */
        expected: string;
    })[];
}
export interface AccountUser {
    /** The id of the user. */
    id: string;
    /** The email address used to log in. */
    email: string;
    /** The name of the user, or null. */
    name: string | null;
    /** Only an active user can log in. */
    status: 'active' | 'suspended' | 'pending';
    /** When the user was created. */
    created_at: string;
    /** When the user last changed. */
    updated_at: string;
    /** The role in the account. A viewer reads everything and changes nothing. */
    role: 'owner' | 'member' | 'viewer';
}
export interface UserDetails {
    /** The id of the user. */
    user_id: string;
    /** The role of the user. lone: a user without an account. */
    role: 'admin' | 'platform' | 'owner' | 'member' | 'viewer' | 'lone';
    /** The account of the user, or null. */
    account_id: string | null;
}
export interface Invitation {
    /** The id of the invitation. */
    id: string;
    /** The address that the invitation was sent to, which the new user logs in with. */
    email: string;
    /** member creates payments, payment requests and subscriptions; viewer only reads. */
    role: 'member' | 'viewer';
    /** The user who invited. Without their permission the link is invalid. */
    invited_by: string;
    /** When the invitation was created. */
    created_at: string;
    /** Until when the link can be used. */
    expires_at: string;
}
export interface Identity {
    /** The id of the linked login. */
    id: string;
    /** The provider. */
    issuer: string;
    /** The email address at the provider when the login was linked. */
    email: string;
    /** When the login was linked. */
    created_at: string;
}
/** What payers see of an account next to its name. */
export interface Branding {
    /** The id of the account. */
    account_id: string;
    /** The public URL of the logo, or null. A changed logo has another URL. */
    logo_url: string | null;
    /** The color of buttons on the payment page and in emails, as #rrggbb. */
    accent_color: string | null;
    /** The address for questions of customers. Without one, the email of the account. */
    support_email: string | null;
    /** The phone number for questions of customers. */
    support_phone: string | null;
    /** The website of the business. */
    website: string | null;
    /** The terms of the business. */
    terms_url: string | null;
    /**
     * What the customer's bank statement shows. The payment page announces it; set the same name at
     * your payment provider.
     */
    statement_name: string | null;
    /**
     * How to pay by transfer, as text with line breaks. It replaces FLORIN_PAYMENT_INSTRUCTIONS for
     * this account.
     */
    payment_instructions: string | null;
    /** When it was last changed, or null. */
    updated_at: string | null;
}
/** The bank account that payers of an account transfer to. */
export interface BankDetails {
    /** The id of the account. */
    account_id: string;
    /**
     * account: set for this account. instance: the bank account of the server. null: there is none,
     * so payers cannot pay by transfer.
     */
    source: 'account' | 'instance' | null;
    /** The holder of the bank account. */
    name: string | null;
    /** The IBAN, without spaces. */
    iban: string | null;
    /** The BIC of the bank. */
    bic: string | null;
    /** What identifies the bank account in countries without IBANs, in this order. */
    fields: {
        /** What it is. */
        label: string;
        /** The value. */
        value: string;
    }[];
    /** When it was set for this account, or null. */
    updated_at: string | null;
}
/**
 * Which emails a user gets. Those about an account go to its owner; those about a login to the
 * user. Everything is on until it is turned off.
 */
export interface Notifications {
    /** A payment request of your account was paid. At most two emails per hour. */
    payment_received: boolean;
    /** A payment of your account failed. At most two emails per hour. */
    payment_failed: boolean;
    /** A dispute of your account was opened or decided. */
    dispute: boolean;
    /** A login from an address and client that you have not used before. */
    new_login: boolean;
    /** The past week of your account, on Mondays at 8:00 in the account's time zone. */
    weekly_summary: boolean;
}
