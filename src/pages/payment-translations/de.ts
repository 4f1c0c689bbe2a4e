import type { PaymentTranslations } from './payment-translations-shape.ts'

export const de: PaymentTranslations = {
  sandbox_band: 'Sandbox: Es fließt kein echtes Geld',
  payments_by: 'Zahlungsabwicklung durch Florin',
  language: 'Sprache',
  error: 'Fehler',
  title: (amount, account) => `${amount} an ${account} zahlen`,

  payment_requested: 'Zahlungsanforderung',
  amount_paid: 'Gezahlter Betrag',
  reference: 'Referenz',
  customer: 'Für',
  pay_by: 'Zahlbar bis',

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
  outcomes: { paid: 'Erfolgreich', declined: 'Abgelehnt', insufficient_funds: 'Ohne Deckung' },

  errors: {
    declined: [
      'Die Karte wurde abgelehnt.',
      'Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte.',
    ],
    insufficient_funds: [
      'Die Karte ist nicht ausreichend gedeckt.',
      'Es wurde nichts abgebucht. Versuchen Sie es mit einer anderen Karte.',
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

  manual: {
    heading: 'So zahlen Sie',
    ask: (account) => `Fragen Sie ${account}, wie Sie zahlen können.`,
    code_label: 'Geben Sie diesen Code als Verwendungszweck an',
    copy: 'Code kopieren',
    copied: 'Kopiert',
    note: (account) =>
      `Diese Seite wird aktualisiert, sobald das Geld bei ${account} eingegangen ist.`,
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
    paid_at: 'Bezahlt am',
    refunded_amount: 'Erstattet',
    part: (amount, paid) => `${amount} von ${paid}`,
    refunded_at: 'Erstattet am',
    number: 'Belegnummer',
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
      'Oder öffnen Sie den Link in der E-Mail erneut.',
  },
  away: {
    heading: 'Diese Seite ist vorübergehend nicht verfügbar',
    text:
      'Versuchen Sie es in einer Minute erneut. Wenn Sie gerade bezahlt haben, ' +
      'sehen Sie hier die Bestätigung. Es wird nicht doppelt abgebucht.',
    again: 'Erneut versuchen',
  },
}
