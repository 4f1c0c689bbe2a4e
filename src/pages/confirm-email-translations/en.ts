import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

export const en: ConfirmEmailTranslations = {
  account: 'Account',
  email: 'Email',
  new_email: 'New email',
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
