import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

export const en: ConfirmEmailTranslations = {
  account: 'Account',
  email: 'Email',
  new_email: 'New email',
  this_link: 'This link',
  link_lifetime: 'works once, for 24 hours',

  confirm: {
    heading: 'Confirm your new email',
    lead: (account) =>
      `Someone asked to make this address the email of ${account}. ` +
      'Until you confirm, the old one stays.',
    what: 'What confirming does',
    steps: [
      [
        'The owner logs in with the new email',
        'The password stays as it is, and so do open sessions.',
      ],
      ['The old address is told', 'It cannot be used to log in any more.'],
    ],
    button: 'Confirm email',
    safe: 'You did not ask for this? Close this page. Nothing changes.',
  },
  next: 'What to do next',
  confirmed: {
    heading: 'The email has changed',
    lead: (account) =>
      `The owner of ${account} now logs in with this address. ` +
      'The link has done its work and opens nothing any more.',
    steps: [
      ['Log in with the new email', 'The password is the same, and open sessions go on.'],
      ['Look into the old inbox', 'An email there says that the email has changed.'],
    ],
  },
  dead: {
    heading: 'This link does not work',
    lead:
      'It has been used, it is older than 24 hours, a newer one was sent, ' +
      'or the password has changed since.',
    steps: [
      ['You have confirmed before', 'The email has changed. Log in with the new one.'],
      ['You have not', 'The account keeps its old email. Ask for the change once more.'],
    ],
  },
  taken: {
    heading: 'This email is taken',
    lead:
      'Since the change was asked for, a user with this email has come. ' +
      'Nothing has changed: the account keeps its old email.',
    steps: [
      ['That user is you', 'Delete it, then open the link again.'],
      ['It is someone else', 'Ask for the change to another address.'],
    ],
  },
}
