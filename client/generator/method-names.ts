// The SDK method of each operation. Method names are public API, so they are maintained by hand.
// The generator fails for an operation without one.

export const methodNames: Record<string, string> = {
  logIn: 'sessions.logIn',
  refresh: 'sessions.refresh',
  endSession: 'sessions.end',
  listSessions: 'sessions.list',
  listUsers: 'users.list',
  createUser: 'users.create',
  getUser: 'users.get',
  updateUser: 'users.update',
  deleteUser: 'users.delete',
  createAccount: 'accounts.create',
  listAccounts: 'accounts.list',
  getAccountById: 'accounts.get',
  updateAccountStatus: 'accounts.update',
  getAccount: 'account.get',
  updateAccount: 'account.update',
  closeAccount: 'account.close',
  listAccountUsers: 'account.listUsers',
  listReturnOrigins: 'account.listReturnOrigins',
  addReturnOrigin: 'account.addReturnOrigin',
  deleteReturnOrigin: 'account.deleteReturnOrigin',
  getBalance: 'account.getBalance',
  getStatement: 'account.listStatement',
  getVolume: 'account.getVolume',
  getAttention: 'account.getAttention',
  listEvents: 'events.list',
  countEvents: 'events.count',
  getEvent: 'events.get',
  streamEvents: 'events.stream',
  createApiKey: 'apiKeys.create',
  listApiKeys: 'apiKeys.list',
  revokeApiKey: 'apiKeys.revoke',
  createTransaction: 'transactions.create',
  listTransactions: 'transactions.list',
  getTransaction: 'transactions.get',
  updateTransaction: 'transactions.update',
  cancelTransaction: 'transactions.cancel',
  settleTransaction: 'transactions.settle',
  countTransactions: 'transactions.count',
  listPostings: 'transactions.listPostings',
  listRefunds: 'transactions.listRefunds',
  listTransactionDetails: 'transactions.listDetails',
  createPayment: 'payments.create',
  listPayments: 'payments.list',
  getPayment: 'payments.get',
  getPaymentStatus: 'payments.getStatus',
  countPayments: 'payments.count',
  listPaymentAttempts: 'payments.listAttempts',
  updatePayment: 'payments.update',
  getReturnUrls: 'payments.getReturnUrls',
  cancelPayment: 'payments.cancel',
  sendPayment: 'payments.send',
  settlePayment: 'payments.settle',
  createSubscription: 'subscriptions.create',
  listSubscriptions: 'subscriptions.list',
  getSubscription: 'subscriptions.get',
  countSubscriptions: 'subscriptions.count',
  updateSubscription: 'subscriptions.update',
  cancelSubscription: 'subscriptions.cancel',
  advanceClock: 'sandbox.advanceClock',
  createWebhookEndpoint: 'webhookEndpoints.create',
  listWebhookEndpoints: 'webhookEndpoints.list',
  getWebhookEndpoint: 'webhookEndpoints.get',
  updateWebhookEndpoint: 'webhookEndpoints.update',
  deleteWebhookEndpoint: 'webhookEndpoints.delete',
  rotateWebhookSecret: 'webhookEndpoints.rotateSecret',
  testWebhookEndpoint: 'webhookEndpoints.test',
  replayWebhookEvents: 'webhookEndpoints.replay',
  listWebhookDeliveries: 'webhookDeliveries.list',
  countWebhookDeliveries: 'webhookDeliveries.count',
  getWebhookDelivery: 'webhookDeliveries.get',
  retryWebhookDelivery: 'webhookDeliveries.retry',
  listRequestLogs: 'requestLogs.list',
  listEmails: 'emails.list',
  getEmail: 'emails.get',
  search: 'search.find',
  listAuditLog: 'auditLog.list',
  getProcessor: 'processor.get',
  getHealth: 'health.get',
  isAlive: 'health.isAlive',
  isReady: 'health.isReady',
  getMetrics: 'health.getMetrics',
}

interface MethodName {
  /** The property of the client, such as `apiKeys`. */
  resource: string
  method: string
}

export function nameOf(operation_id: string): MethodName {
  const name = methodNames[operation_id]
  const [resource, method] = name?.split('.') ?? []
  if (resource !== undefined && method !== undefined) return { resource, method }
  throw new Error(
    `The operation ${operation_id} has no SDK method. ` +
      `Add it to client/generator/method-names.ts: ${operation_id}: 'noun.verb'.`,
  )
}
