import type { Translations } from '../translations.ts'

export const emails: Translations['emails'] = {
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
  sign_up_verification: ({ service }) => ({
    subject: `Confirm your email address for ${service}`,
    title: 'Confirm your email address',
    lead: 'Open the link and enter the password that you chose to activate your account.',
    button: 'Confirm email address',
    note: "Didn't sign up? You can ignore this email. The sign-up is deleted after a day.",
  }),
  sign_up_attempt: ({ service }) => ({
    subject: `You already have an account on ${service}`,
    title: 'You already have an account',
    lead:
      'This address was used to sign up, but it already belongs to an account. ' +
      'Log in instead, or reset your password on the login page.',
    button: 'Log in',
    note: "Didn't try to sign up? You can ignore this email. Nothing has changed.",
  }),
  password_reset: ({ service }) => ({
    subject: `Reset your password for ${service}`,
    title: 'Reset your password',
    lead: 'Open the link to set a new password. It works once and ends all of your sessions.',
    button: 'Set a new password',
    note: "Didn't request this? You can ignore this email. Your password stays the same.",
  }),
  password_changed: ({ service }) => ({
    subject: `Your password for ${service} was changed`,
    title: 'Your password was changed',
    lead: 'The password was reset with a link, and all sessions were ended.',
    note: "Didn't make this change? Contact the operator of this service immediately.",
  }),
  invitation: ({ name }) => ({
    subject: `${name} invited you to join its team`,
    title: `Join ${name}`,
    lead: `You were invited to work with ${name}. Open the link to choose a password.`,
    button: 'Accept invitation',
    note: `Don't recognize ${name}? You can ignore this email.`,
  }),
  dispute_opened: ({ name, amount }) => ({
    subject: `Payment disputed: ${amount} to ${name}`,
    title: 'A payment was disputed',
    lead:
      'The cardholder disputes this payment with their bank. ' +
      'The amount was withdrawn from your balance until the bank decides.',
    note:
      'To contest it, submit evidence to your payment provider in time. ' +
      'A disputed payment cannot be refunded.',
  }),
  dispute_won: ({ name, amount }) => ({
    subject: `Dispute won: ${amount} for ${name}`,
    title: 'You won the dispute',
    lead: 'The bank decided in your favor. The amount was returned to your balance.',
    note: 'You have nothing else to do.',
  }),
  dispute_lost: ({ name, amount }) => ({
    subject: `Dispute lost: ${amount} for ${name}`,
    title: 'You lost the dispute',
    lead: 'The bank decided in favor of the cardholder, who keeps the amount.',
    note: 'You have nothing else to do. The amount was withdrawn when the dispute was opened.',
  }),
  payment_received: ({ name, amount, count }) => ({
    subject:
      count === 1 ? `You've been paid ${amount}` : `${count} payments: ${amount} for ${name}`,
    title: count === 1 ? "You've been paid" : `You received ${count} payments`,
    lead:
      count === 1
        ? 'The payment was added to your balance.'
        : 'These payments arrived within an hour. They were added to your balance.',
    button: 'View transactions',
    note: 'The payment page has already sent the customer a receipt.',
  }),
  payment_failed: ({ name, amount, count }) => ({
    subject: count === 1 ? `Payment failed: ${amount}` : `${count} payments failed for ${name}`,
    title: count === 1 ? 'A payment failed' : `${count} payments failed`,
    lead: 'No money was received.',
    button: 'View payment requests',
    note: 'To get paid, send the customer a new payment request.',
  }),
  new_login: () => ({
    subject: 'New login to your account',
    title: 'New login',
    lead: 'Someone logged in from an address or device that you have not used before.',
    note: "Wasn't this you? Change your password now. It ends all other sessions.",
  }),
  weekly_summary: ({ name, week }) => ({
    subject: `Your week at ${name}`,
    title: 'Your week',
    lead: `This is what happened from ${week}.`,
    button: 'Open the dashboard',
    note: 'Amounts count by the day on which a payment was created.',
  }),
  settings: 'Change your notification settings',
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
  payout_destination_changed: ({ name }) => ({
    subject: `Payout destination changed for ${name}`,
    title: 'Your payout destination has changed',
    lead: 'New payouts go to the bank account below. The next payout must be approved first.',
    note: "Didn't make this change? Contact the operator of this service immediately.",
  }),
  how_to_pay: 'See how to pay',
  link: 'Open this link:',
  without_button: 'Button not working? Open this link:',
  foot: (name) => `Sent on behalf of ${name}. Payments by Florin.`,
  service_foot: (name) => `Sent by ${name}.`,
}
