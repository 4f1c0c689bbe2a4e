// The page behind the link of an invitation, in each of its states.

import { html, type Markup } from '../primitives/markup.ts'
import { field } from './field.ts'
import { linkPage, log_in_step, newPasswordField, nextSteps, usernameField } from './link-pages.ts'

interface JoinPage {
  sandbox: boolean
  account_name: string
  email: string
  role: 'member' | 'viewer'
  password_min: number
  name?: string
  faults?: { name: string | undefined; password: string | undefined }
}

const roles = { member: 'Member', viewer: 'Read-only' }

export function joinPage(options: JoinPage): Markup {
  const { sandbox, account_name, email, role, password_min, name, faults } = options
  return linkPage({
    sandbox,
    heading: `Join ${account_name}`,
    lead: 'Choose a password. Then you are logged in to the dashboard.',
    facts: [
      ['Account', account_name],
      ['Your email', email],
      ['Your role', roles[role]],
      ['This link', 'works once, for 7 days'],
    ],
    has_fault: faults !== undefined,
    right: html`<form class="card" method="post" novalidate aria-labelledby="what">
<h2 id="what">Your details</h2>
${usernameField(email)}
${field({
  name: 'name',
  label: 'Name',
  type: 'text',
  autocomplete: 'name',
  required: false,
  value: name,
  fault: faults?.name,
  focused: faults?.name !== undefined,
})}
${newPasswordField(password_min, faults?.password, faults?.name === undefined)}
<button class="primary">Join</button>
<p class="safe">Don't recognize ${account_name}? Close this page. Nothing will change.</p>
</form>`,
  })
}

export function invalidInvitationPage({ sandbox }: { sandbox: boolean }): Markup {
  return linkPage({
    sandbox,
    heading: 'This invitation does not work',
    lead: 'It was already used or revoked, it is more than 7 days old, or it was replaced.',
    right: nextSteps([
      { ...log_in_step, title: 'If you already joined' },
      { title: 'If you have not joined yet', text: 'Ask for another invitation.' },
    ]),
  })
}

export function takenInvitationPage({ sandbox }: { sandbox: boolean }): Markup {
  return linkPage({
    sandbox,
    heading: 'This email address is already in use',
    lead: 'A user with this address was created after the invitation. A user has one account.',
    right: nextSteps([
      log_in_step,
      { title: 'To join this account', text: 'Ask for an invitation to another address.' },
    ]),
  })
}
