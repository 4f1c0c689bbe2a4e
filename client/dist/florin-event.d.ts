import type { Account, ApiKey, Dispute, EventFields, Payment, PaymentLink, Payout, Subscription, Transaction, Transfer, User, WebhookEndpoint } from './generated/schemas.ts';
export type EventType = EventFields['type'];
/** The data of an event, by the noun before the dot of its type. */
interface DataByNoun {
    user: User;
    account: Account;
    transaction: Transaction;
    payment: Payment;
    payment_link: PaymentLink;
    subscription: Subscription;
    dispute: Dispute;
    transfer: Transfer;
    payout: Payout;
    api_key: ApiKey;
}
type NounOf<Type extends string> = Type extends `${infer Noun}.${string}` ? Noun : never;
type EventOf<Type extends EventType> = Omit<EventFields, 'type' | 'data'> & {
    type: Type;
    /** The object at the time of the event. */
    data: DataByNoun[NounOf<Type> & keyof DataByNoun];
};
export type FlorinEvent = {
    [Type in EventType]: EventOf<Type>;
}[EventType];
/** Sent by `webhookEndpoints.test`. Not an event of the account, so it has no sequence number. */
export interface TestEvent {
    id: string;
    type: 'webhook_endpoint.test';
    account_id: string;
    sequence: null;
    created_at: string;
    data: WebhookEndpoint;
}
/** The body of a webhook: an event with the `timestamp` of Standard Webhooks. */
export type WebhookEvent = (FlorinEvent | TestEvent) & {
    timestamp: string;
};
export {};
