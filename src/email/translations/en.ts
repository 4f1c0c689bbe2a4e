import type { EmailTranslations } from './email-translations.ts'

export const en: EmailTranslations = {
  payment_request: ({ name, amount }) => ({
    subject: `Payment request from ${name}: ${amount}`,
    title: `${name} has requested a payment`,
    lead: "Review the details on the payment page. You won't be charged until you confirm.",
    lead_by_transfer: 'The payment page shows the details and how to pay.',
    button: `Pay ${amount}`,
    note: `Don't recognize ${name}? You can ignore this email. You won't be charged.`,
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Reminder: payment of ${amount} to ${name}`,
    title: `Your payment to ${name} is still due`,
    lead: "The payment link expires at the time below. You haven't been charged yet.",
    lead_by_transfer:
      'The payment link expires at the time below. The payment page shows how to pay.',
    button: `Pay ${amount}`,
    note: 'Already paid? You can ignore this reminder.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Receipt: ${amount} to ${name}`,
    title: `You paid ${name}`,
    lead: 'This is your receipt. You can print it from the payment page.',
    button: 'View receipt',
    note: `Didn't make this payment? Contact ${name} and include the transaction ID above.`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `Refund: ${amount} from ${name}`,
    title: `Your refund from ${name}`,
    lead:
      (is_full
        ? 'Your payment has been refunded in full. '
        : `Part of your payment of ${paid} has been refunded. `) +
      'Depending on your bank, it may take a few business days to arrive.',
    button: 'View receipt',
    note: `Questions about this refund? Contact ${name} and include the transaction ID above.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Confirm your new email address for ${name}`,
    title: 'Confirm your new email address',
    lead:
      `This address was entered as the new email address for ${name}. ` +
      'Once you confirm it, use it to log in.',
    button: 'Confirm email address',
    note: "Didn't request this? You can ignore this email. Nothing will change.",
  }),
  email_change_requested: ({ name }) => ({
    subject: `Email change requested for ${name}`,
    title: 'Email change requested',
    lead:
      `The email address for ${name} will change once the new address is confirmed. ` +
      'Until then, log in with your current address.',
    note: "Didn't request this? Change your password now to cancel the request.",
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `Email address changed for ${name}`,
    title: 'Your email address has changed',
    lead: `The new address was confirmed. Use it to log in to ${name} from now on.`,
    note: "Didn't make this change? Contact the operator of this service immediately.",
  }),
  webhook_gone: ({ name }) => ({
    subject: `Webhook endpoint disabled for ${name}`,
    title: 'Your webhook endpoint was disabled',
    lead: 'It returned HTTP status 410 (Gone), so we stopped sending events to it.',
    note:
      'To receive events again, re-enable the endpoint. ' +
      'You can replay events from the last 90 days.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Webhook endpoint disabled for ${name}: deliveries keep failing`,
    title: 'Your webhook endpoint was disabled',
    lead: 'All deliveries to it have failed for several days, so we stopped sending events to it.',
    note: 'Fix your endpoint, then re-enable it. You can replay events from the last 90 days.',
  }),
  labels: {
    to: 'To',
    reference: 'Reference',
    pay_by: 'Pay by',
    until: 'Link expires',
    paid_at: 'Paid on',
    transaction: 'Transaction ID',
    from: 'From',
    paid: 'Original payment',
    refunded_at: 'Refunded on',
    account: 'Account',
    new_email: 'New email',
    endpoint: 'Endpoint',
    endpoint_id: 'Endpoint ID',
  },
  how_to_pay: 'See how to pay',
  link: 'Open this link:',
  without_button: 'Button not working? Open this link:',
  sandbox: 'Sandbox: no real money moves',
  foot: (name) => `Sent on behalf of ${name}. Payments by Florin.`,
}
