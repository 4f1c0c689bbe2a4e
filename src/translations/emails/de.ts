import type { Translations } from '../translations.ts'

export const emails: Translations['emails'] = {
  payment_request: ({ name, amount }) => ({
    subject: `Zahlungsanforderung von ${name}: ${amount}`,
    title: `${name} bittet um eine Zahlung`,
    lead:
      'Prüfen Sie die Angaben auf der Zahlungsseite. ' +
      'Der Betrag wird erst nach Ihrer Bestätigung abgebucht.',
    lead_by_transfer:
      'Auf der Zahlungsseite finden Sie alle Angaben und erfahren, wie Sie zahlen können.',
    button: `${amount} zahlen`,
    note:
      `Sie kennen ${name} nicht? Dann können Sie diese E-Mail ignorieren. ` +
      'Es entstehen Ihnen keine Kosten.',
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Erinnerung: Zahlung über ${amount} an ${name}`,
    title: `Ihre Zahlung an ${name} steht noch aus`,
    lead:
      'Der Zahlungslink ist bis zum unten genannten Zeitpunkt gültig. ' +
      'Bisher wurde nichts abgebucht.',
    lead_by_transfer:
      'Der Zahlungslink ist bis zum unten genannten Zeitpunkt gültig. ' +
      'Auf der Zahlungsseite erfahren Sie, wie Sie zahlen können.',
    button: `${amount} zahlen`,
    note: 'Sie haben bereits gezahlt? Dann können Sie diese Erinnerung ignorieren.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Beleg: ${amount} an ${name}`,
    title: `Ihre Zahlung an ${name}`,
    lead: 'Dies ist Ihr Zahlungsbeleg. Sie können ihn auf der Zahlungsseite ausdrucken.',
    button: 'Beleg ansehen',
    note:
      'Sie haben diese Zahlung nicht veranlasst? ' +
      `Wenden Sie sich an ${name} und geben Sie die oben genannte Transaktions-ID an.`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `Rückerstattung: ${amount} von ${name}`,
    title: `Ihre Rückerstattung von ${name}`,
    lead:
      (is_full
        ? 'Ihre Zahlung wurde vollständig erstattet. '
        : `Ein Teil Ihrer Zahlung über ${paid} wurde erstattet. `) +
      'Je nach Bank kann es einige Werktage dauern, bis der Betrag bei Ihnen eingeht.',
    button: 'Beleg ansehen',
    note:
      'Haben Sie Fragen zu dieser Rückerstattung? ' +
      `Wenden Sie sich an ${name} und geben Sie die oben genannte Transaktions-ID an.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Bestätigen Sie Ihre neue E-Mail-Adresse für ${name}`,
    title: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    lead:
      `Diese Adresse wurde als neue E-Mail-Adresse für ${name} angegeben. ` +
      'Nach der Bestätigung melden Sie sich mit dieser Adresse an.',
    button: 'E-Mail-Adresse bestätigen',
    note:
      'Sie haben das nicht angefordert? Dann können Sie diese E-Mail ignorieren. ' +
      'Es ändert sich nichts.',
  }),
  email_change_requested: ({ name }) => ({
    subject: `Änderung der E-Mail-Adresse für ${name} angefordert`,
    title: 'Änderung der E-Mail-Adresse angefordert',
    lead:
      `Die E-Mail-Adresse für ${name} wird geändert, sobald die neue Adresse bestätigt ist. ` +
      'Melden Sie sich bis dahin mit Ihrer bisherigen Adresse an.',
    note:
      'Sie haben das nicht angefordert? ' +
      'Ändern Sie umgehend Ihr Passwort, um die Anforderung aufzuheben.',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `E-Mail-Adresse für ${name} geändert`,
    title: 'Ihre E-Mail-Adresse wurde geändert',
    lead: `Die neue Adresse wurde bestätigt. Melden Sie sich ab jetzt damit bei ${name} an.`,
    note:
      'Sie haben diese Änderung nicht veranlasst? ' +
      'Wenden Sie sich umgehend an die Administration dieses Dienstes.',
  }),
  sign_up_verification: ({ service }) => ({
    subject: `Bestätigen Sie Ihre E-Mail-Adresse für ${service}`,
    title: 'Bestätigen Sie Ihre E-Mail-Adresse',
    lead:
      'Öffnen Sie den Link und geben Sie das gewählte Passwort ein, ' +
      'um Ihr Konto zu aktivieren.',
    button: 'E-Mail-Adresse bestätigen',
    note:
      'Sie haben sich nicht registriert? Dann können Sie diese E-Mail ignorieren. ' +
      'Die Registrierung wird nach einem Tag gelöscht.',
  }),
  sign_up_attempt: ({ service }) => ({
    subject: `Sie haben bereits ein Konto bei ${service}`,
    title: 'Sie haben bereits ein Konto',
    lead:
      'Mit dieser Adresse wurde eine Registrierung versucht, sie gehört aber bereits zu einem ' +
      'Konto. Melden Sie sich an oder setzen Sie auf der Anmeldeseite Ihr Passwort zurück.',
    button: 'Anmelden',
    note:
      'Sie wollten sich nicht registrieren? Dann können Sie diese E-Mail ignorieren. ' +
      'Es hat sich nichts geändert.',
  }),
  password_reset: ({ service }) => ({
    subject: `Setzen Sie Ihr Passwort für ${service} zurück`,
    title: 'Setzen Sie Ihr Passwort zurück',
    lead:
      'Über den Link legen Sie ein neues Passwort fest. ' +
      'Er funktioniert einmal und beendet alle Ihre Sitzungen.',
    button: 'Neues Passwort festlegen',
    note:
      'Sie haben das nicht angefordert? Dann können Sie diese E-Mail ignorieren. ' +
      'Ihr Passwort bleibt unverändert.',
  }),
  password_changed: ({ service }) => ({
    subject: `Ihr Passwort für ${service} wurde geändert`,
    title: 'Ihr Passwort wurde geändert',
    lead: 'Das Passwort wurde über einen Link zurückgesetzt. Alle Sitzungen wurden beendet.',
    note:
      'Sie haben diese Änderung nicht vorgenommen? ' +
      'Wenden Sie sich sofort an den Betreiber dieses Dienstes.',
  }),
  invitation: ({ name }) => ({
    subject: `${name} hat Sie in das Team eingeladen`,
    title: `Einladung von ${name}`,
    lead:
      `Sie wurden eingeladen, mit ${name} zu arbeiten. ` +
      'Öffnen Sie den Link, um ein Passwort zu wählen.',
    button: 'Einladung annehmen',
    note: `Sie kennen ${name} nicht? Dann können Sie diese E-Mail ignorieren.`,
  }),
  dispute_opened: ({ name, amount }) => ({
    subject: `Zahlung angefochten: ${amount} an ${name}`,
    title: 'Eine Zahlung wurde angefochten',
    lead:
      'Diese Zahlung wurde bei der kartenausgebenden Bank angefochten. ' +
      'Bis zur Entscheidung der Bank wurde der Betrag von Ihrem Guthaben abgezogen.',
    note:
      'Um zu widersprechen, reichen Sie rechtzeitig Nachweise bei Ihrem Zahlungsanbieter ein. ' +
      'Eine angefochtene Zahlung kann nicht erstattet werden.',
  }),
  dispute_won: ({ name, amount }) => ({
    subject: `Anfechtung gewonnen: ${amount} für ${name}`,
    title: 'Sie haben die Anfechtung gewonnen',
    lead:
      'Die Bank hat zu Ihren Gunsten entschieden. ' +
      'Der Betrag wurde Ihnen wieder gutgeschrieben.',
    note: 'Sie müssen nichts weiter tun.',
  }),
  dispute_lost: ({ name, amount }) => ({
    subject: `Anfechtung verloren: ${amount} für ${name}`,
    title: 'Sie haben die Anfechtung verloren',
    lead: 'Die Bank hat gegen Sie entschieden. Der Betrag wird Ihnen nicht wieder gutgeschrieben.',
    note:
      'Sie müssen nichts weiter tun. ' +
      'Der Betrag wurde bereits bei Beginn der Anfechtung abgezogen.',
  }),
  payment_received: ({ name, amount, count }) => ({
    subject:
      count === 1 ? `Zahlung erhalten: ${amount}` : `${count} Zahlungen: ${amount} für ${name}`,
    title: count === 1 ? 'Zahlung erhalten' : `Sie haben ${count} Zahlungen erhalten`,
    lead:
      count === 1
        ? 'Die Zahlung wurde Ihrem Guthaben gutgeschrieben.'
        : 'Diese Zahlungen gingen in einer Stunde ein und wurden Ihrem Guthaben gutgeschrieben.',
    button: 'Transaktionen ansehen',
    note: 'Der Kunde hat bereits einen Beleg erhalten.',
  }),
  payment_failed: ({ name, amount, count }) => ({
    subject:
      count === 1
        ? `Zahlung fehlgeschlagen: ${amount}`
        : `${count} Zahlungen für ${name} fehlgeschlagen`,
    title: count === 1 ? 'Eine Zahlung ist fehlgeschlagen' : `${count} Zahlungen fehlgeschlagen`,
    lead: 'Es ist kein Geld eingegangen.',
    button: 'Zahlungsanfragen ansehen',
    note: 'Senden Sie dem Kunden eine neue Zahlungsanfrage, um bezahlt zu werden.',
  }),
  new_login: () => ({
    subject: 'Neue Anmeldung in Ihrem Konto',
    title: 'Neue Anmeldung',
    lead: 'Jemand hat sich von einer bisher unbekannten Adresse oder einem neuen Gerät angemeldet.',
    note: 'Waren Sie das nicht? Ändern Sie jetzt Ihr Passwort. Das beendet alle anderen Sitzungen.',
  }),
  weekly_summary: ({ name, week }) => ({
    subject: `Ihre Woche bei ${name}`,
    title: 'Ihre Woche',
    lead: `Das ist vom ${week} passiert.`,
    button: 'Dashboard öffnen',
    note: 'Beträge zählen zu dem Tag, an dem eine Zahlung erstellt wurde.',
  }),
  settings: 'Benachrichtigungen ändern',
  webhook_gone: ({ name }) => ({
    subject: `Webhook-Endpunkt für ${name} deaktiviert`,
    title: 'Ihr Webhook-Endpunkt wurde deaktiviert',
    lead:
      'Der Endpunkt hat mit dem HTTP-Status 410 (Gone) geantwortet. ' +
      'Deshalb werden keine Ereignisse mehr an ihn gesendet.',
    note:
      'Aktivieren Sie den Endpunkt wieder, um erneut Ereignisse zu empfangen. ' +
      'Ereignisse der letzten 90 Tage können Sie noch einmal senden.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Webhook-Endpunkt für ${name} deaktiviert: Zustellungen fehlgeschlagen`,
    title: 'Ihr Webhook-Endpunkt wurde deaktiviert',
    lead:
      'Seit mehreren Tagen ist jede Zustellung an diesen Endpunkt fehlgeschlagen. ' +
      'Deshalb werden keine Ereignisse mehr an ihn gesendet.',
    note:
      'Beheben Sie den Fehler und aktivieren Sie den Endpunkt anschließend wieder. ' +
      'Ereignisse der letzten 90 Tage können Sie noch einmal senden.',
  }),
  payout_destination_changed: ({ name }) => ({
    subject: `Auszahlungskonto für ${name} geändert`,
    title: 'Ihr Auszahlungskonto wurde geändert',
    lead:
      'Neue Auszahlungen gehen auf das unten genannte Bankkonto. ' +
      'Die nächste Auszahlung muss zuerst freigegeben werden.',
    note: 'Sie haben das nicht geändert? Wenden Sie sich sofort an den Betreiber dieses Dienstes.',
  }),
  how_to_pay: 'Zahlungsmöglichkeiten ansehen',
  link: 'Öffnen Sie diesen Link:',
  without_button: 'Die Schaltfläche funktioniert nicht? Öffnen Sie diesen Link:',
  foot: (name) => `Gesendet im Auftrag von ${name}. Zahlungsabwicklung durch Florin.`,
  service_foot: (name) => `Gesendet von ${name}.`,
}
