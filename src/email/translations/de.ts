import type { EmailTranslations } from './email-translations.ts'

export const de: EmailTranslations = {
  payment_request: ({ name, amount }) => ({
    subject: `${name} bittet Sie um ${amount}`,
    title: `${name} bittet Sie um eine Zahlung`,
    lead:
      'Die Zahlungsseite zeigt, was Sie zahlen und an wen. ' +
      'Bevor Sie bestätigen, wird nichts abgebucht.',
    lead_by_transfer: 'Die Zahlungsseite zeigt, was Sie zahlen, an wen und wie.',
    button: `${amount} zahlen`,
    note: `Sie kennen ${name} nicht? Dann zahlen Sie nicht. Mehr müssen Sie nicht tun.`,
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Erinnerung: ${amount} an ${name}`,
    title: `Ihre Zahlung an ${name} ist noch offen`,
    lead: 'Der Link gilt bis zum unten genannten Zeitpunkt. Bisher wurde nichts abgebucht.',
    lead_by_transfer:
      'Der Link gilt bis zum unten genannten Zeitpunkt. ' +
      'Die Zahlungsseite zeigt, wie Sie zahlen.',
    button: `${amount} zahlen`,
    note: 'Sie haben gerade gezahlt? Dann hat sich diese Nachricht damit überschnitten.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Beleg: ${amount} an ${name}`,
    title: `Sie haben an ${name} gezahlt`,
    lead: 'Dies ist Ihr Beleg. Auf der Zahlungsseite können Sie ihn auch drucken.',
    button: 'Beleg ansehen',
    note:
      'Diese Zahlung ist nicht von Ihnen? ' +
      `Wenden Sie sich an ${name} und nennen Sie die Transaktion.`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `Rückerstattung: ${amount} von ${name}`,
    title: `Ihre Rückerstattung von ${name}`,
    lead:
      (is_full
        ? 'Ihre Zahlung wurde vollständig erstattet. '
        : `Ein Teil Ihrer Zahlung über ${paid} wurde erstattet. `) +
      'Je nach Bank dauert es einige Werktage, bis das Geld bei Ihnen eintrifft.',
    button: 'Beleg ansehen',
    note:
      'Fragen zu dieser Rückerstattung? ' +
      `Wenden Sie sich an ${name} und nennen Sie die Transaktion.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Bestätigen Sie diese Adresse für ${name}`,
    title: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
    lead:
      `Jemand möchte diese Adresse für ${name} verwenden. ` +
      'Sobald Sie bestätigen, wird sie zur Anmeldung der Inhaberin oder des Inhabers.',
    button: 'E-Mail-Adresse bestätigen',
    note: 'Das waren nicht Sie? Dann tun Sie nichts. Ohne Sie ändert sich nichts.',
  }),
  email_change_requested: ({ name }) => ({
    subject: `Neue E-Mail-Adresse angefragt: ${name}`,
    title: 'Jemand möchte Ihre E-Mail-Adresse ändern',
    lead:
      `Die Adresse von ${name} ändert sich, sobald die neue bestätigt ist. ` +
      'Bis dahin melden Sie sich mit dieser an.',
    note: 'Das waren nicht Sie? Ändern Sie jetzt Ihr Passwort. Damit ist die Anfrage beendet.',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `Die E-Mail-Adresse von ${name} wurde geändert`,
    title: 'Ihre E-Mail-Adresse wurde geändert',
    lead: `Die neue Adresse ist bestätigt. Ab jetzt gilt sie für die Anmeldung bei ${name}.`,
    note: 'Sie wollten das nicht? Wenden Sie sich sofort an den Betreiber dieses Dienstes.',
  }),
  webhook_gone: ({ name }) => ({
    subject: `Webhooks von ${name} wurden angehalten`,
    title: 'Ihr Webhook-Endpunkt ist weg',
    lead:
      'Der Empfänger antwortete mit 410. Das heißt: Es soll nichts mehr dorthin gesendet ' +
      'werden.',
    note:
      'Sie wollen ihn zurück? Aktivieren Sie den Endpunkt wieder. Ereignisse der letzten ' +
      '90 Tage lassen sich erneut senden.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Webhooks von ${name} wurden angehalten: seit Tagen keine Antwort`,
    title: 'Ihr Webhook-Endpunkt antwortet nicht',
    lead: 'Seit Tagen wurde dort nichts angenommen. Deshalb wird nichts mehr gesendet.',
    note:
      'Beheben Sie den Fehler und aktivieren Sie den Endpunkt wieder. Ereignisse der ' +
      'letzten 90 Tage lassen sich erneut senden.',
  }),
  labels: {
    to: 'An',
    reference: 'Referenz',
    pay_by: 'Zahlbar bis',
    until: 'Gültig bis',
    paid_at: 'Bezahlt am',
    transaction: 'Transaktion',
    from: 'Von',
    paid: 'Ursprüngliche Zahlung',
    refunded_at: 'Erstattet am',
    account: 'Konto',
    new_email: 'Neue Adresse',
    endpoint: 'Endpunkt',
    endpoint_id: 'Kennung',
  },
  how_to_pay: 'So zahlen Sie',
  link: 'Öffnen Sie diese Adresse:',
  without_button: 'Die Schaltfläche funktioniert nicht? Öffnen Sie diese Adresse:',
  sandbox: 'Sandbox: Es fließt kein echtes Geld',
  foot: (name) => `Gesendet für ${name}. Zahlungen mit Florin.`,
}
