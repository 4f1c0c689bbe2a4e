import type { PaymentTranslations } from './payment-translations-shape.ts'

export const en: PaymentTranslations = {
  sandbox_band: 'Sandbox: no real money moves',
  payments_by: 'Payments by Florin',
  language: 'Language',
  error: 'Error',
  title: (amount, account) => `Pay ${amount} to ${account}`,

  payment_requested: 'Payment request',
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
  paying: 'Processing…',
  trust: (account) => `Your payment goes to ${account}. They never see your card number.`,

  test_cards: 'Test cards',
  test_cards_hint: 'Select a card to use it. Other cards are not accepted in the sandbox.',
  outcomes: { paid: 'Succeeds', declined: 'Declined', insufficient_funds: 'Insufficient funds' },

  errors: {
    declined: ['The card was declined.', 'You were not charged. Try another card.'],
    insufficient_funds: [
      'The card has insufficient funds.',
      'You were not charged. Try another card.',
    ],
    card_refused: [
      'This is not a test card.',
      'You were not charged, and the number was not stored. Use one of the test cards below.',
    ],
    too_many: ['Too many attempts.', 'You were not charged. Wait a minute, then try again.'],
    form_expired: [
      'This form has expired.',
      'You were not charged. Enter your card details again.',
    ],
    cross_site: [
      'This form was submitted from another site.',
      'You were not charged. To pay, enter your card details here.',
    ],
  },
  offline: ['You are offline.', 'Nothing was sent. Pay when you are back online.'],
  faults: {
    number: {
      missing: 'Enter the card number.',
      malformed: 'Check the card number. It has 12 to 19 digits.',
    },
    expires: {
      missing: 'Enter the expiration date.',
      malformed: 'Enter the month and year, such as 04 / 29.',
      past: 'This card has expired. Use another card.',
    },
    csc: {
      missing: 'Enter the security code.',
      malformed: 'Enter the 3 or 4 digits on the card.',
    },
  },

  manual: {
    heading: 'How to pay',
    ask: (account) => `Ask ${account} how to pay.`,
    code_label: 'Include this code with your transfer',
    copy: 'Copy code',
    copied: 'Copied',
    note: (account) => `This page updates when ${account} has received the money.`,
  },
  processing: {
    heading: 'Processing your payment',
    text: "This takes a few seconds. The page updates automatically. You won't be charged twice.",
  },
  paid: { heading: 'Paid', text: (account) => `${account} has received your payment.` },
  already_paid: {
    heading: 'Already paid',
    text: 'This request has already been paid, perhaps in another tab. You were not charged again.',
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
    heading: 'This payment request is closed',
    declined: (account) =>
      `Your payment was declined ten times. You were not charged. Ask ${account} for a new link.`,
    text: (account) =>
      `It can no longer be paid. You were not charged. Ask ${account} for a new request.`,
    by_transfer: (account) =>
      'It can no longer be paid. If you already sent the money, contact ' +
      `${account}. Otherwise, ask for a new request.`,
  },
  canceled: {
    heading: 'This payment request was canceled',
    text: (account) => `You don't need to pay anything. Questions? Contact ${account}.`,
  },
  expired: {
    heading: 'This payment request has expired',
    text: (date, account) =>
      `It expired on ${date}. You were not charged. Ask ${account} for a new request.`,
    by_transfer: (date, account) =>
      `It expired on ${date}. If you already sent the money, contact ` +
      `${account}. Otherwise, ask for a new request.`,
  },
  unavailable: {
    heading: 'Payment is currently unavailable',
    text: (account) =>
      `${account} can't accept payments right now. You were not charged. Try again later.`,
    by_transfer: (account) =>
      `${account} can't accept payments right now. Don't send any money. Try again later.`,
  },
  not_found: {
    heading: 'Payment request not found',
    text: 'Check the address: part of it may be missing. Or open the link in the email again.',
  },
  away: {
    heading: 'This page is temporarily unavailable',
    text:
      'Try again in a minute. If you have just paid, this page will confirm it. ' +
      "You won't be charged twice.",
    again: 'Try again',
  },
}
