import type { Account, ApiKey, EventFields, Payment, Subscription, Transaction, User, WebhookEndpoint } from './generated/schemas.ts';
export type EventType = EventFields['type'];
/** What the data of an event is, by the noun before the dot. */
interface DataByNoun {
    user: User;
    account: Account;
    transaction: Transaction;
    payment: Payment;
    subscription: Subscription;
    api_key: ApiKey;
}
type NounOf<Type extends string> = Type extends `${infer Noun}.${string}` ? Noun : never;
type EventOf<Type extends EventType> = Omit<EventFields, 'type' | 'data'> & {
    type: Type;
    /** The object as the API showed it then. */
    data: DataByNoun[NounOf<Type> & keyof DataByNoun];
};
export type FlorinEvent = {
    [Type in EventType]: EventOf<Type>;
}[EventType];
/** What `webhookEndpoints.test` sends: no event of the account, so it has no number. */
export interface TestEvent {
    id: string;
    type: 'webhook_endpoint.test';
    account_id: string;
    sequence: null;
    created_at: string;
    data: WebhookEndpoint;
}
/** The body of a webhook: an event, with the time that Standard Webhooks asks for. */
export type WebhookEvent = (FlorinEvent | TestEvent) & {
    timestamp: string;
};
export {};
