import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

// A heading on a phone would end its line after the E of E-Mail; that hyphen does not break.
export const de: ConfirmEmailTranslations = {
  account: 'Konto',
  email: 'E-Mail-Adresse',
  new_email: 'Neue Adresse',
  this_link: 'Dieser Link',
  link_lifetime: 'gilt einmal, 24 Stunden lang',

  confirm: {
    heading: 'Bestätigen Sie Ihre neue E\u2011Mail-Adresse',
    lead: (account) =>
      `Jemand möchte diese Adresse für ${account} verwenden. ` +
      'Bis Sie bestätigen, bleibt es bei der alten.',
    what: 'Was sich damit ändert',
    steps: [
      [
        'Für die Anmeldung gilt die neue Adresse',
        'Das Passwort bleibt, wie es ist. Offene Sitzungen laufen weiter.',
      ],
      ['Die alte Adresse erfährt davon', 'Mit ihr ist keine Anmeldung mehr möglich.'],
    ],
    button: 'E-Mail-Adresse bestätigen',
    safe: 'Das waren nicht Sie? Schließen Sie diese Seite. Es ändert sich nichts.',
  },
  next: 'So geht es weiter',
  confirmed: {
    heading: 'Die E\u2011Mail-Adresse wurde geändert',
    lead: (account) =>
      `Ab jetzt gilt diese Adresse für die Anmeldung bei ${account}. ` +
      'Der Link hat seinen Zweck erfüllt und öffnet nichts mehr.',
    steps: [
      [
        'Melden Sie sich mit der neuen Adresse an',
        'Das Passwort ist dasselbe. Offene Sitzungen laufen weiter.',
      ],
      [
        'Sehen Sie im alten Postfach nach',
        'Dort steht in einer Nachricht, dass sich die Adresse geändert hat.',
      ],
    ],
  },
  dead: {
    heading: 'Dieser Link funktioniert nicht',
    lead:
      'Er wurde schon benutzt, er ist älter als 24 Stunden, es gibt einen neueren, ' +
      'oder das Passwort wurde seitdem geändert.',
    steps: [
      ['Sie haben schon bestätigt', 'Die Adresse ist geändert. Melden Sie sich mit der neuen an.'],
      [
        'Sie haben noch nicht bestätigt',
        'Das Konto behält die alte Adresse. Fordern Sie die Änderung noch einmal an.',
      ],
    ],
  },
  taken: {
    heading: 'Diese E\u2011Mail-Adresse ist vergeben',
    lead:
      'Seit der Anfrage hat sich jemand mit dieser Adresse registriert. ' +
      'Es hat sich nichts geändert: Das Konto behält die alte Adresse.',
    steps: [
      ['Das waren Sie selbst', 'Löschen Sie diesen Benutzer und öffnen Sie den Link noch einmal.'],
      ['Das war jemand anderes', 'Fordern Sie die Änderung auf eine andere Adresse an.'],
    ],
  },
}
