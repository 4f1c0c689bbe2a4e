import type { PaymentTranslations } from './payment-translations-shape.ts'

export const en: PaymentTranslations = {
  sandbox_band: 'Sandbox: no real money moves',
  payments_by: 'Payments by Florin',
  language: 'Language',
  error: 'Error',
  title: (amount, account) => `Pay ${amount} to ${account}`,

  payment_requested: 'Payment requested',
  amount_paid: 'Amount paid',
  reference: 'Reference',
  customer: 'For',
  pay_by: 'Pay by',

  pay_by_card: 'Pay by card',
  card_number: 'Card number',
  expires: 'Expires',
  expires_hint: 'MM / YY',
  security_code: 'Security code',
  security_code_hint: '3 or 4 digits',
  pay: (amount) => `Pay ${amount}`,
  paying: 'Paying…',
  trust: (account) => `The payment goes to ${account}, who never sees your card number.`,

  test_cards: 'Test cards',
  test_cards_hint: 'One tap, no typing. No other card is taken here.',
  outcomes: { paid: 'Pays', declined: 'Declined', insufficient_funds: 'No funds' },

  errors: {
    declined: ['The card was declined.', 'No money was taken. Try another card.'],
    insufficient_funds: [
      'There is not enough money on this card.',
      'No money was taken. Try another card.',
    ],
    card_refused: [
      'This is not a test card.',
      'No money was taken, and the number was not kept. Use one of the test cards below.',
    ],
    too_many: ['Too many tries.', 'No money was taken. Wait a minute, then try again.'],
    form_expired: [
      'This form was open for too long.',
      'No money was taken. Enter the card once more.',
    ],
    cross_site: [
      'Another site sent this form.',
      'No money was taken. To pay, enter the card here.',
    ],
  },
  offline: ['You are offline.', 'Nothing was sent. Pay when the connection is back.'],
  faults: {
    number: {
      missing: 'Enter the card number.',
      malformed: 'Check the card number. It has 12 to 19 digits.',
    },
    expires: {
      missing: 'Enter the month and year.',
      malformed: 'Enter month and year, such as 04 / 29.',
      past: 'This card has expired. Use another one.',
    },
    csc: {
      missing: 'Enter the security code.',
      malformed: 'Enter the 3 or 4 digits on the card.',
    },
  },

  manual: {
    heading: 'How to pay',
    ask: (account) => `Ask ${account} how to pay.`,
    code_label: 'Write this code on the transfer',
    copy: 'Copy code',
    copied: 'Copied',
    note: (account) => `This page will say when ${account} has received the money.`,
  },
  processing: {
    heading: 'The payment is on its way',
    text: 'This takes a few seconds. The page moves on by itself. You will not be charged twice.',
  },
  paid: { heading: 'Paid', text: (account) => `${account} has received your payment.` },
  already_paid: {
    heading: 'Already paid',
    text: 'This request was paid before, perhaps in another tab. Nobody was charged twice.',
  },
  refunded: {
    heading: 'Refunded',
    text: (account) => `${account} has refunded your payment in full.`,
  },
  partly_refunded: {
    heading: 'Partially refunded',
    text: (account, amount, paid) => `${account} has refunded ${amount} of ${paid}.`,
  },
  receipt: {
    paid_to: 'Paid to',
    paid_at: 'Paid on',
    refunded_amount: 'Refunded',
    part: (amount, paid) => `${amount} of ${paid}`,
    refunded_at: 'Refunded on',
    number: 'Receipt number',
    print: 'Print receipt',
  },
  failed: {
    heading: 'This request is closed',
    declined: (account) =>
      `The card was declined ten times. No money was taken. Ask ${account} for a new request.`,
    text: (account) =>
      `It can no longer be paid. No money was taken. Ask ${account} for a new request.`,
    by_transfer: (account) =>
      'It can no longer be paid. If you have sent the money already, tell ' +
      `${account}. If not, ask for a new request.`,
  },
  canceled: {
    heading: 'This request was canceled',
    text: (account) => `There is nothing to pay here. If in doubt, ask ${account}.`,
  },
  expired: {
    heading: 'This request has expired',
    text: (date, account) =>
      `It could be paid until ${date}. No money was taken. Ask ${account} for a new request.`,
    by_transfer: (date, account) =>
      `It could be paid until ${date}. If you have sent the money already, tell ` +
      `${account}. If not, ask for a new request.`,
  },
  unavailable: {
    heading: 'No payment can be made now',
    text: (account) =>
      `${account} takes no payments at the moment. No money was taken. Try again later.`,
    by_transfer: (account) =>
      `${account} takes no payments at the moment. Do not send money now. Try again later.`,
  },
  not_found: {
    heading: 'There is no payment here',
    text: 'Check the address: a part of it may be missing. Or open the link in the email again.',
  },
  away: {
    heading: 'This page cannot response right now',
    text: 'Try again in a minute. If you have just paid, it will say so. Nobody is charged twice.',
    again: 'Try again',
  },
}
