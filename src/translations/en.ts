import { emails } from './emails/en.ts'
import type { Translations } from './translations.ts'

const labels: Translations['labels'] = {
  sandbox: 'Sandbox: no real money moves',
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
  changed_at: 'Changed on',
  holder: 'Account holder',
  endpoint: 'Endpoint',
  endpoint_id: 'Endpoint ID',
  respond_by: 'Respond by',
  payments: 'Payments',
  volume: 'Received',
  refunds: 'Refunds',
  fees: 'Fees',
  failed: 'Failed',
  open: 'Open requests',
  logged_in_at: 'Logged in on',
  address: 'IP address',
  client: 'Client',
  dispute: 'Dispute ID',
  message: 'Message',
}

const payment_page: Translations['payment_page'] = {
  payments_by: 'Payments by Florin',
  language: 'Language',
  error: 'Error',
  title: (amount, account) => `Pay ${amount} to ${account}`,

  payment_requested: 'Payment request',
  amount_paid: 'Amount paid',
  customer: 'For',
  contact: 'Questions about this payment?',
  terms: 'Terms',
  statement_name: 'On your statement',
  back: (account) => `Back to ${account}`,

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
  outcomes: {
    paid: 'Succeeds',
    needs_confirmation: '3-D Secure',
    disputed: 'Paid, then disputed',
    declined: 'Declined',
    insufficient_funds: 'Insufficient funds',
    processing_error: 'Processing error',
  },

  errors: {
    declined: ['The card was declined.', 'You were not charged. Try another card.'],
    insufficient_funds: [
      'The card has insufficient funds.',
      'You were not charged. Try another card.',
    ],
    processing_error: [
      'The card could not be processed.',
      'You were not charged. Try again in a minute, or use another card.',
    ],
    authentication_failed: [
      'The payment was not confirmed.',
      'You were not charged. Try again, or use another card.',
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

  checkout: {
    heading: 'Pay securely online',
    pay_with: {
      stripe: 'Pay by card (Stripe)',
      mollie: 'Pay by bank, card or wallet (Mollie)',
    },
    opening: 'Opening…',
    trust: (account) =>
      `You pay on the secure page of our payment provider. ${account} never sees your card number.`,
    or_transfer: 'Or pay by bank transfer',
    errors: {
      unavailable: [
        "The provider's payment page could not be opened.",
        'You were not charged. Try again in a minute.',
      ],
      rejected: [
        'The payment provider did not accept this payment.',
        'You were not charged. Try another way to pay, or contact the payee.',
      ],
      form_expired: ['This form has expired.', 'You were not charged. Choose how to pay again.'],
      cross_site: [
        'This form was sent from another website.',
        'You were not charged. To pay, use the button below.',
      ],
    },
  },
  confirm: {
    heading: 'Confirm this payment',
    text: (amount, account) =>
      `Your bank asks you to confirm the payment of ${amount} to ${account}.`,
    confirm: 'Confirm payment',
    reject: 'Reject payment',
    note: 'In the sandbox, Florin stands in for the bank. Choose the result.',
  },
  manual: {
    heading: 'How to pay',
    ask: (account) => `Ask ${account} how to pay.`,
    code_label: 'Include this code with your transfer',
    copy: 'Copy code',
    copied: 'Copied',
    note: (account) => `This page updates when ${account} has received the money.`,
  },
  transfer: {
    lead:
      'Transfer exactly this amount. Enter the transfer code as the reference, so that your ' +
      'payment can be matched.',
    recipient: 'Recipient',
    amount: 'Amount',
    code: 'Transfer code',
    copy: 'Copy',
    qr_label: 'QR code with these transfer details',
    scan: 'Or scan this code with your banking app. It fills in the transfer.',
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
    refunded_amount: 'Refunded',
    part: (amount, paid) => `${amount} of ${paid}`,
    download: 'Download receipt (PDF)',
    download_credit_note: 'Download credit note (PDF)',
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
    heading: 'Payment not found',
    text: 'Check the address: part of it may be missing. Or open the link you received again.',
  },
  away: {
    heading: 'This page is temporarily unavailable',
    text:
      'Try again in a minute. If you have just paid, this page will confirm it. ' +
      "You won't be charged twice.",
    again: 'Try again',
  },
}

const link_page: Translations['link_page'] = {
  title: (account) => `Pay ${account}`,
  heading: 'Your details',
  email: 'Your email',
  email_hint: 'For your receipt.',
  email_fault: 'Enter an email address, such as ann@example.com.',
  amount: 'Amount',
  amount_range: (min, max) => `From ${min} to ${max}.`,
  amount_fault: (min, max, example) => `Enter an amount from ${min} to ${max}, such as ${example}.`,
  continue: 'Continue to payment',
  errors: {
    form_expired: [
      'This form has expired.',
      'You were not charged. Check your details and continue.',
    ],
    cross_site: [
      'This form was submitted from another site.',
      'You were not charged. To pay, enter your details here.',
    ],
    too_many: ['Too many attempts.', 'You were not charged. Wait a minute, then try again.'],
  },
  ended: {
    heading: 'This payment link has ended',
    text: (account) => `You were not charged. Contact ${account} for a new link.`,
  },
  used_up: {
    heading: 'No payments left at the moment',
    text: (account) =>
      `Other payers are completing the last payments to ${account}. ` +
      'You were not charged. Try again in an hour.',
  },
}

const confirm_email_page: Translations['confirm_email_page'] = {
  email: 'Email',
  this_link: 'This link',
  link_lifetime: 'works once, for 24 hours',

  confirm: {
    heading: 'Confirm your new email address',
    lead: (account) =>
      `This address was entered as the new email address for ${account}. ` +
      'Until you confirm it, the old address stays in use.',
    what: 'When you confirm',
    steps: [
      [
        'You log in with the new address',
        'Your password stays the same, and active sessions stay logged in.',
      ],
      ['The old address is notified', 'It can no longer be used to log in.'],
    ],
    button: 'Confirm email address',
    safe: "Didn't request this? Close this page. Nothing will change.",
  },
  next: 'What to do next',
  confirmed: {
    heading: 'Your email address has changed',
    lead: (account) =>
      `Use this address to log in to ${account} from now on. ` +
      'This link has been used and no longer works.',
    steps: [
      [
        'Log in with the new address',
        'Your password is the same, and active sessions stay logged in.',
      ],
      ['Check your old inbox', 'A message there confirms the change.'],
    ],
  },
  invalid: {
    heading: 'This link does not work',
    lead:
      'It was already used, it is more than 24 hours old, a newer link was sent, ' +
      'or the password has changed since.',
    steps: [
      ['If you already confirmed', 'Your email address has changed. Log in with the new address.'],
      [
        'If you have not confirmed yet',
        'The account still uses the old address. Request the change again.',
      ],
    ],
  },
  taken: {
    heading: 'This email address is already in use',
    lead:
      'Another user registered with this address after the change was requested. ' +
      'Nothing has changed: the account still uses the old address.',
    steps: [
      ['If that user is you', 'Delete that user, then open this link again.'],
      ['If it is someone else', 'Request a change to a different address.'],
    ],
  },
}

export const en: Translations = {
  name: 'English',
  labels,
  emails,
  payment_page,
  link_page,
  confirm_email_page,
}
