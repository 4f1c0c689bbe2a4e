// Registers every route. The order of the operations is the order of the OpenAPI document.

import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { readFiles } from './file-body.ts'
import { readRawBodies } from './json-body.ts'
import { parseForm } from './query-string.ts'
import { addRoutes } from './route.ts'
import type { RouteContext } from './route-context.ts'
import { accountRoutes } from './routes/accounts.ts'
import { adminRoutes } from './routes/admin.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { balanceRoutes } from './routes/balance.ts'
import { bankDetailsRoutes } from './routes/bank-details.ts'
import { bankFileRoutes, bankStatementRoutes } from './routes/bank-statements.ts'
import { brandingRoutes } from './routes/branding.ts'
import { bulkTransactionRoutes } from './routes/bulk-transactions.ts'
import { clockRoutes } from './routes/clock.ts'
import { confirmEmailRoutes } from './routes/confirm-email.ts'
import { customerRoutes } from './routes/customers.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { dashboardLoginRoutes } from './routes/dashboard-login.ts'
import { disputeRoutes } from './routes/disputes.ts'
import { docsRoutes } from './routes/docs.ts'
import { documentRoutes } from './routes/documents.ts'
import { emailRoutes } from './routes/emails.ts'
import { eventRoutes } from './routes/events.ts'
import { factorRoutes } from './routes/factors.ts'
import { handbookRoutes } from './routes/handbook.ts'
import { healthRoutes } from './routes/health.ts'
import { identityRoutes } from './routes/identities.ts'
import { invitationRoutes, joinRoutes } from './routes/invitations.ts'
import { linkPageRoutes } from './routes/link-page.ts'
import { listCountRoutes } from './routes/list-counts.ts'
import { notificationRoutes } from './routes/notifications.ts'
import { oidcFormRoutes, oidcRoutes } from './routes/oidc.ts'
import { pageFileRoutes } from './routes/page-files.ts'
import { passkeyRoutes } from './routes/passkeys.ts'
import { passwordResetPageRoutes, passwordResetRoutes } from './routes/password-reset.ts'
import { payRoutes } from './routes/pay.ts'
import { payDocumentRoutes } from './routes/pay-documents.ts'
import { paymentLinkRoutes } from './routes/payment-links.ts'
import { paymentRequestRoutes } from './routes/payment-requests.ts'
import { paymentRoutes } from './routes/payments.ts'
import { payoutExportRoutes } from './routes/payout-exports.ts'
import { payoutRoutes } from './routes/payouts.ts'
import { processorRoutes, providerWebhookRoutes } from './routes/processors.ts'
import { refundRoutes } from './routes/refunds.ts'
import { reportRoutes } from './routes/reports.ts'
import { requestLogRoutes } from './routes/request-logs.ts'
import { returnUrlRoutes } from './routes/return-urls.ts'
import { searchRoutes } from './routes/search.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { settlementRoutes } from './routes/settlements.ts'
import { setupRoutes } from './routes/setup.ts'
import { signUpRoutes } from './routes/sign-up.ts'
import { startRoutes } from './routes/start.ts'
import { subscriptionRoutes } from './routes/subscriptions.ts'
import { teamRoutes } from './routes/team.ts'
import { transactionRoutes } from './routes/transactions.ts'
import { transferRoutes } from './routes/transfers.ts'
import { userRoutes } from './routes/users.ts'
import { verifyEmailRoutes } from './routes/verify-email.ts'
import { webhookDeliveryRoutes } from './routes/webhook-deliveries.ts'
import { webhookRoutes } from './routes/webhooks.ts'

export async function addAllRoutes(app: FastifyInstance, context: RouteContext): Promise<void> {
  addRoutes(app, context, [
    ...sessionRoutes,
    ...factorRoutes,
    ...passwordResetRoutes,
    ...passkeyRoutes,
    ...identityRoutes,
    ...userRoutes,
    ...notificationRoutes,
    ...accountRoutes,
    ...teamRoutes,
    ...brandingRoutes,
    ...bankDetailsRoutes,
    ...invitationRoutes,
    ...balanceRoutes,
    ...eventRoutes,
    ...requestLogRoutes,
    ...apiKeyRoutes,
    ...reportRoutes,
    ...transactionRoutes,
    ...bulkTransactionRoutes,
    ...listCountRoutes,
    ...refundRoutes,
    ...disputeRoutes,
    ...transferRoutes,
    ...payoutRoutes,
    ...payoutExportRoutes,
    ...bankStatementRoutes,
    ...settlementRoutes,
    ...paymentRoutes,
    ...paymentRequestRoutes,
    ...paymentLinkRoutes,
    ...documentRoutes,
    ...returnUrlRoutes,
    ...subscriptionRoutes,
    ...customerRoutes,
    ...(context.sandbox ? clockRoutes : []),
    ...webhookRoutes,
    ...webhookDeliveryRoutes,
    ...emailRoutes,
    ...adminRoutes,
    ...processorRoutes,
    ...searchRoutes,
    ...healthRoutes,
    ...startRoutes,
    ...dashboardRoutes,
    ...dashboardLoginRoutes,
    ...oidcRoutes,
    ...pageFileRoutes,
    ...docsRoutes(app, context),
    ...handbookRoutes(app, context),
  ])
  await app.register(async (webhooks) => {
    readRawBodies(webhooks)
    addRoutes(webhooks, context, providerWebhookRoutes)
  })
  await app.register(async (files) => {
    readFiles(files)
    addRoutes(files, context, bankFileRoutes)
  })
  // Only these pages accept forms.
  await app.register(async (pages) => {
    await pages.register(formbody, { parser: parseForm })
    addRoutes(pages, context, [
      ...setupRoutes,
      ...signUpRoutes,
      ...confirmEmailRoutes,
      ...verifyEmailRoutes,
      ...passwordResetPageRoutes,
      ...joinRoutes,
      ...payRoutes,
      ...payDocumentRoutes,
      ...oidcFormRoutes,
      ...linkPageRoutes,
    ])
  })
}
