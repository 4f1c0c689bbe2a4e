import type { EmailTranslations } from './email-translations.ts'

export const en: EmailTranslations = {
  payment_request: ({ name, amount }) => ({
    subject: `${name} asks you to pay ${amount}`,
    title: `${name} asks you to pay`,
    lead: 'The payment page shows what you pay and to whom. No money is taken before you confirm.',
    lead_by_transfer: 'The payment page shows what you pay, to whom and how.',
    button: `Pay ${amount}`,
    note: `You do not know ${name}? Then do not pay. You have nothing else to do.`,
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Reminder: ${amount} to ${name}`,
    title: `Your payment to ${name} is still open`,
    lead: 'The link stops working at the time below. No money has been taken so far.',
    lead_by_transfer:
      'The link stops working at the time below. ' + 'The payment page shows how to pay.',
    button: `Pay ${amount}`,
    note: 'You have just paid? Then this email crossed your payment, and you are done.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Receipt: ${amount} to ${name}`,
    title: `You paid ${name}`,
    lead: 'This is your receipt. You can also print it from the payment page.',
    button: 'Show receipt',
    note: `You did not make this payment? Tell ${name}, and give the transaction below.`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `Refund: ${amount} from ${name}`,
    title: `Your refund from ${name}`,
    lead:
      (is_full
        ? 'Your payment has been refunded in full. '
        : `Part of your payment of ${paid} has been refunded. `) +
      'Depending on your bank, it may take a few business days to arrive.',
    button: 'Show receipt',
    note: `Questions about this refund? Contact ${name} and give the transaction below.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Confirm this address for ${name}`,
    title: 'Confirm your new email',
    lead:
      `Someone asked to make this address the email of ${name}. ` +
      'Once you confirm, its owner logs in with it.',
    button: 'Confirm email',
    note: 'You did not ask for this? Do nothing. Without you, nothing changes.',
  }),
  email_change_requested: ({ name }) => ({
    subject: `A new email was asked for: ${name}`,
    title: 'Someone wants to change your email',
    lead:
      `The email of ${name} changes as soon as the new address is confirmed. ` +
      'Until then you log in with this one.',
    note: 'You did not ask for this? Change your password now. That ends the request.',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `The email of ${name} has changed`,
    title: 'Your email has changed',
    lead: `The new address was confirmed. The owner of ${name} now logs in with it.`,
    note: 'You did not want this? Tell whoever runs this service at once.',
  }),
  webhook_gone: ({ name }) => ({
    subject: `Webhooks of ${name} have been stopped`,
    title: 'Your webhook endpoint is gone',
    lead: 'The receiver answered 410, which means that nothing shall be sent to it any more.',
    note:
      'You want it back? Enable the endpoint again. Events of the last 90 days can be ' +
      'replayed.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Webhooks of ${name} have been stopped: no response for days`,
    title: 'Your webhook endpoint does not response',
    lead: 'Nothing that was sent to it has been accepted for days, so nothing more is sent.',
    note:
      'Mend the receiver and enable the endpoint again. Events of the last 90 days can be ' +
      'replayed.',
  }),
  labels: {
    to: 'To',
    reference: 'Reference',
    pay_by: 'Pay by',
    until: 'Works until',
    paid_at: 'Paid on',
    transaction: 'Transaction',
    from: 'From',
    paid: 'Original payment',
    refunded_at: 'Refunded on',
    account: 'Account',
    new_email: 'New email',
    endpoint: 'Endpoint',
    endpoint_id: 'Endpoint id',
  },
  how_to_pay: 'See how to pay',
  link: 'Open this address:',
  without_button: 'The button does not work? Open this address:',
  sandbox: 'Sandbox: no real money moves',
  foot: (name) => `Sent for ${name}. Payments by Florin.`,
}
