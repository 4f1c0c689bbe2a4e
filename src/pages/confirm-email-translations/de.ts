import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

// Headings use a non-breaking hyphen in "E‑Mail", so a narrow screen does not wrap after the "E".
export const de: ConfirmEmailTranslations = {
  account: 'Konto',
  email: 'E-Mail-Adresse',
  new_email: 'Neue Adresse',
  this_link: 'Dieser Link',
  link_lifetime: 'ist einmalig und 24 Stunden lang gültig',

  confirm: {
    heading: 'Bestätigen Sie Ihre neue E\u2011Mail-Adresse',
    lead: (account) =>
      `Diese Adresse wurde als neue E-Mail-Adresse für ${account} angegeben. ` +
      'Bis zur Bestätigung gilt weiterhin die bisherige Adresse.',
    what: 'Nach der Bestätigung',
    steps: [
      [
        'Sie melden sich mit der neuen Adresse an',
        'Ihr Passwort ändert sich nicht, und aktive Sitzungen bleiben angemeldet.',
      ],
      ['Die bisherige Adresse wird benachrichtigt', 'Mit ihr ist keine Anmeldung mehr möglich.'],
    ],
    button: 'E-Mail-Adresse bestätigen',
    safe: 'Sie haben das nicht angefordert? Schließen Sie diese Seite. Es ändert sich nichts.',
  },
  next: 'Nächste Schritte',
  confirmed: {
    heading: 'Ihre E\u2011Mail-Adresse wurde geändert',
    lead: (account) =>
      `Melden Sie sich ab jetzt mit dieser Adresse bei ${account} an. ` +
      'Der Link wurde verwendet und ist nicht mehr gültig.',
    steps: [
      [
        'Melden Sie sich mit der neuen Adresse an',
        'Ihr Passwort ist unverändert, und aktive Sitzungen bleiben angemeldet.',
      ],
      [
        'Sehen Sie in Ihrem bisherigen Postfach nach',
        'Dort finden Sie eine Nachricht, die die Änderung bestätigt.',
      ],
    ],
  },
  invalid: {
    heading: 'Dieser Link funktioniert nicht',
    lead:
      'Er wurde bereits verwendet, ist älter als 24 Stunden, wurde durch einen neueren ersetzt, ' +
      'oder das Passwort wurde inzwischen geändert.',
    steps: [
      [
        'Wenn Sie bereits bestätigt haben',
        'Ihre E-Mail-Adresse wurde geändert. Melden Sie sich mit der neuen Adresse an.',
      ],
      [
        'Wenn Sie noch nicht bestätigt haben',
        'Für das Konto gilt weiterhin die bisherige Adresse. Fordern Sie die Änderung erneut an.',
      ],
    ],
  },
  taken: {
    heading: 'Diese E\u2011Mail-Adresse wird bereits verwendet',
    lead:
      'Nach der Anforderung wurde ein anderer Benutzer mit dieser Adresse registriert. ' +
      'Es hat sich nichts geändert: Für das Konto gilt weiterhin die bisherige Adresse.',
    steps: [
      [
        'Wenn Sie dieser Benutzer sind',
        'Löschen Sie diesen Benutzer und öffnen Sie den Link dann erneut.',
      ],
      ['Wenn es jemand anderes ist', 'Fordern Sie die Änderung auf eine andere Adresse an.'],
    ],
  },
}
