import { emails } from './emails/de.ts'
import type { Translations } from './translations.ts'

const labels: Translations['labels'] = {
  sandbox: 'Sandbox: Es fließt kein echtes Geld',
  to: 'Empfänger',
  reference: 'Referenz',
  pay_by: 'Zahlbar bis',
  until: 'Link gültig bis',
  paid_at: 'Bezahlt am',
  transaction: 'Transaktions-ID',
  from: 'Von',
  paid: 'Ursprüngliche Zahlung',
  refunded_at: 'Erstattet am',
  account: 'Konto',
  new_email: 'Neue Adresse',
  changed_at: 'Geändert am',
  holder: 'Kontoinhaber',
  endpoint: 'Endpunkt',
  endpoint_id: 'Endpunkt-ID',
  respond_by: 'Antwort bis',
  payments: 'Zahlungen',
  volume: 'Erhalten',
  refunds: 'Erstattungen',
  fees: 'Gebühren',
  failed: 'Fehlgeschlagen',
  open: 'Offene Anfragen',
  logged_in_at: 'Angemeldet am',
  address: 'IP-Adresse',
  client: 'Gerät',
  dispute: 'Anfechtungs-ID',
  message: 'Nachricht',
}

const payment_page: Translations['payment_page'] = {
  payments_by: 'Zahlungsabwicklung durch Florin',
  language: 'Sprache',
  error: 'Fehler',
  title: (amount, account) => `${amount} an ${account} zahlen`,

  payment_requested: 'Zahlungsanforderung',
  amount_paid: 'Gezahlter Betrag',
  customer: 'Für',
  contact: 'Fragen zu dieser Zahlung?',
  terms: 'AGB',
  statement_name: 'Auf dem Kontoauszug',
  back: (account) => `Zurück zu ${account}`,

  pay_by_card: 'Mit Karte zahlen',
  card_number: 'Kartennummer',
  expires: 'Gültig bis',
  expires_hint: 'MM / JJ',
  security_code: 'Prüfnummer',
  security_code_hint: '3 oder 4 Ziffern',
  pay: (amount) => `${amount} zahlen`,
  paying: 'Wird verarbeitet …',
  trust: (account) =>
    `Ihre Zahlung geht an ${account}. Ihre Kartennummer wird nicht weitergegeben.`,

  test_cards: 'Testkarten',
  test_cards_hint:
    'Tippen Sie auf eine Karte, um sie zu verwenden. ' +
    'Andere Karten werden in der Sandbox nicht akzeptiert.',
  outcomes: {
    paid: 'Erfolgreich',
    needs_confirmation: '3-D Secure',
    disputed: 'Bezahlt, angefochten',
    declined: 'Abgelehnt',
    insufficient_funds: 'Ohne Deckung',
    processing_error: 'Verarbeitungsfehler',
  },

  errors: {
    declined: [
      'Die Karte wurde abgelehnt.',
      'Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte.',
    ],
    insufficient_funds: [
      'Die Karte ist nicht ausreichend gedeckt.',
      'Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte.',
    ],
    processing_error: [
      'Die Karte konnte nicht verarbeitet werden.',
      'Es wurde nichts abgebucht. ' +
        'Versuchen Sie es in einer Minute erneut oder verwenden Sie eine andere Karte.',
    ],
    authentication_failed: [
      'Die Zahlung wurde nicht bestätigt.',
      'Es wurde nichts abgebucht. Versuchen Sie es erneut oder verwenden Sie eine andere Karte.',
    ],
    card_refused: [
      'Dies ist keine Testkarte.',
      'Es wurde nichts abgebucht und die Nummer wurde nicht gespeichert. ' +
        'Verwenden Sie eine der unten stehenden Testkarten.',
    ],
    too_many: [
      'Zu viele Versuche.',
      'Es wurde nichts abgebucht. Warten Sie eine Minute und versuchen Sie es dann erneut.',
    ],
    form_expired: [
      'Dieses Formular ist abgelaufen.',
      'Es wurde nichts abgebucht. Geben Sie Ihre Kartendaten erneut ein.',
    ],
    cross_site: [
      'Dieses Formular wurde von einer anderen Website gesendet.',
      'Es wurde nichts abgebucht. Geben Sie Ihre Kartendaten hier ein, um zu zahlen.',
    ],
  },
  offline: [
    'Sie sind offline.',
    'Es wurde nichts gesendet. Zahlen Sie, sobald Sie wieder online sind.',
  ],
  faults: {
    number: {
      missing: 'Geben Sie die Kartennummer ein.',
      malformed: 'Prüfen Sie die Kartennummer. Sie hat 12 bis 19 Ziffern.',
    },
    expires: {
      missing: 'Geben Sie das Ablaufdatum ein.',
      malformed: 'Geben Sie Monat und Jahr ein, zum Beispiel 04 / 29.',
      past: 'Diese Karte ist abgelaufen. Verwenden Sie eine andere Karte.',
    },
    csc: {
      missing: 'Geben Sie die Prüfnummer ein.',
      malformed: 'Geben Sie die 3 oder 4 Ziffern auf der Karte ein.',
    },
  },

  checkout: {
    heading: 'Sicher online zahlen',
    pay_with: {
      stripe: 'Mit Karte zahlen (Stripe)',
      mollie: 'Per Bank, Karte oder Wallet zahlen (Mollie)',
    },
    opening: 'Wird geöffnet …',
    trust: (account) =>
      'Sie zahlen auf der sicheren Seite unseres Zahlungsdienstleisters. ' +
      `Ihre Kartennummer wird nicht an ${account} weitergegeben.`,
    or_transfer: 'Oder per Überweisung zahlen',
    errors: {
      unavailable: [
        'Die Seite des Zahlungsdienstleisters konnte nicht geöffnet werden.',
        'Es wurde nichts abgebucht. Versuchen Sie es in einer Minute erneut.',
      ],
      rejected: [
        'Der Zahlungsdienstleister hat diese Zahlung nicht angenommen.',
        'Es wurde nichts abgebucht. Wählen Sie eine andere Zahlungsart oder wenden Sie sich an ' +
          'den Zahlungsempfänger.',
      ],
      form_expired: [
        'Dieses Formular ist abgelaufen.',
        'Es wurde nichts abgebucht. Wählen Sie die Zahlungsart erneut.',
      ],
      cross_site: [
        'Dieses Formular wurde von einer anderen Website gesendet.',
        'Es wurde nichts abgebucht. Nutzen Sie die Schaltfläche unten, um zu zahlen.',
      ],
    },
  },
  confirm: {
    heading: 'Bestätigen Sie die Zahlung',
    text: (amount, account) =>
      `Ihre Bank bittet Sie, die Zahlung von ${amount} an ${account} zu bestätigen.`,
    confirm: 'Zahlung bestätigen',
    reject: 'Zahlung ablehnen',
    note: 'In der Sandbox übernimmt Florin die Rolle der Bank. Wählen Sie das Ergebnis.',
  },
  manual: {
    heading: 'So zahlen Sie',
    ask: (account) => `Fragen Sie ${account}, wie Sie zahlen können.`,
    code_label: 'Geben Sie diesen Code als Verwendungszweck an',
    copy: 'Code kopieren',
    copied: 'Kopiert',
    note: (account) =>
      `Diese Seite wird aktualisiert, sobald das Geld bei ${account} eingegangen ist.`,
  },
  transfer: {
    lead:
      'Überweisen Sie genau diesen Betrag und geben Sie den Verwendungszweck an. ' +
      'So wird Ihre Zahlung zugeordnet.',
    recipient: 'Empfänger',
    amount: 'Betrag',
    code: 'Verwendungszweck',
    copy: 'Kopieren',
    qr_label: 'QR-Code mit diesen Überweisungsdaten',
    scan: 'Oder scannen Sie diesen Code mit Ihrer Banking-App. Sie füllt die Überweisung aus.',
  },
  processing: {
    heading: 'Ihre Zahlung wird verarbeitet',
    text:
      'Dies dauert einige Sekunden. Die Seite wird automatisch aktualisiert. ' +
      'Es wird nicht doppelt abgebucht.',
  },
  paid: { heading: 'Bezahlt', text: (account) => `${account} hat Ihre Zahlung erhalten.` },
  already_paid: {
    heading: 'Bereits bezahlt',
    text:
      'Diese Anforderung wurde bereits bezahlt, möglicherweise in einem anderen Tab. ' +
      'Es wurde nicht erneut abgebucht.',
  },
  refunded: {
    heading: 'Erstattet',
    text: (account) => `${account} hat Ihre Zahlung vollständig erstattet.`,
  },
  partly_refunded: {
    heading: 'Teilweise erstattet',
    text: (account, amount, paid) => `${account} hat ${amount} von ${paid} erstattet.`,
  },
  receipt: {
    paid_to: 'Empfänger',
    refunded_amount: 'Erstattet',
    part: (amount, paid) => `${amount} von ${paid}`,
    download: 'Beleg herunterladen (PDF)',
    download_credit_note: 'Erstattungsbeleg herunterladen (PDF)',
    print: 'Beleg drucken',
  },
  failed: {
    heading: 'Diese Anforderung ist geschlossen',
    declined: (account) =>
      'Die Karte wurde zehnmal abgelehnt. Es wurde nichts abgebucht. ' +
      `Bitten Sie ${account} um eine neue Anforderung.`,
    text: (account) =>
      'Sie kann nicht mehr bezahlt werden. Es wurde nichts abgebucht. ' +
      `Bitten Sie ${account} um eine neue Anforderung.`,
    by_transfer: (account) =>
      'Sie kann nicht mehr bezahlt werden. Wenn Sie das Geld bereits überwiesen haben, ' +
      `wenden Sie sich an ${account}. Andernfalls bitten Sie um eine neue Anforderung.`,
  },
  canceled: {
    heading: 'Diese Anforderung wurde storniert',
    text: (account) => `Sie müssen nichts zahlen. Bei Fragen wenden Sie sich an ${account}.`,
  },
  expired: {
    heading: 'Diese Anforderung ist abgelaufen',
    text: (date, account) =>
      `Sie war bis zum ${date} gültig. Es wurde nichts abgebucht. ` +
      `Bitten Sie ${account} um eine neue Anforderung.`,
    by_transfer: (date, account) =>
      `Sie war bis zum ${date} gültig. Wenn Sie das Geld bereits überwiesen haben, ` +
      `wenden Sie sich an ${account}. Andernfalls bitten Sie um eine neue Anforderung.`,
  },
  unavailable: {
    heading: 'Zurzeit ist keine Zahlung möglich',
    text: (account) =>
      `${account} kann derzeit keine Zahlungen annehmen. Es wurde nichts abgebucht. ` +
      'Versuchen Sie es später erneut.',
    by_transfer: (account) =>
      `${account} kann derzeit keine Zahlungen annehmen. Überweisen Sie jetzt kein Geld. ` +
      'Versuchen Sie es später erneut.',
  },
  not_found: {
    heading: 'Zahlung nicht gefunden',
    text:
      'Prüfen Sie die Adresse: Möglicherweise fehlt ein Teil. ' +
      'Oder öffnen Sie den Link, den Sie erhalten haben, erneut.',
  },
  away: {
    heading: 'Diese Seite ist vorübergehend nicht verfügbar',
    text:
      'Versuchen Sie es in einer Minute erneut. Wenn Sie gerade bezahlt haben, ' +
      'sehen Sie hier die Bestätigung. Es wird nicht doppelt abgebucht.',
    again: 'Erneut versuchen',
  },
}

// Headings use a non-breaking hyphen in "E‑Mail", so a narrow screen does not wrap after the "E".
const link_page: Translations['link_page'] = {
  title: (account) => `Zahlung an ${account}`,
  heading: 'Ihre Angaben',
  email: 'Ihre E-Mail-Adresse',
  email_hint: 'Für Ihren Zahlungsbeleg.',
  email_fault: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ann@example.com.',
  amount: 'Betrag',
  amount_range: (min, max) => `Von ${min} bis ${max}.`,
  amount_fault: (min, max, example) =>
    `Geben Sie einen Betrag von ${min} bis ${max} ein, zum Beispiel ${example}.`,
  continue: 'Weiter zur Zahlung',
  errors: {
    form_expired: [
      'Dieses Formular ist abgelaufen.',
      'Es wurde nichts abgebucht. Prüfen Sie Ihre Angaben und fahren Sie fort.',
    ],
    cross_site: [
      'Dieses Formular wurde von einer anderen Website gesendet.',
      'Es wurde nichts abgebucht. Geben Sie Ihre Angaben hier ein, um zu zahlen.',
    ],
    too_many: [
      'Zu viele Versuche.',
      'Es wurde nichts abgebucht. Warten Sie eine Minute und versuchen Sie es erneut.',
    ],
  },
  ended: {
    heading: 'Dieser Zahlungslink ist beendet',
    text: (account) => `Es wurde nichts abgebucht. Bitten Sie ${account} um einen neuen Link.`,
  },
  used_up: {
    heading: 'Zurzeit sind keine Zahlungen mehr möglich',
    text: (account) =>
      `Andere schließen gerade die letzten Zahlungen an ${account} ab. ` +
      'Es wurde nichts abgebucht. Versuchen Sie es in einer Stunde erneut.',
  },
}

const confirm_email_page: Translations['confirm_email_page'] = {
  email: 'E-Mail-Adresse',
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

export const de: Translations = {
  name: 'Deutsch',
  labels,
  emails,
  payment_page,
  link_page,
  confirm_email_page,
}
