import type { PaymentTranslations } from './payment-translations-shape.ts'

export const de: PaymentTranslations = {
  sandbox_band: 'Sandbox: Es fließt kein echtes Geld',
  payments_by: 'Zahlungen mit Florin',
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
  paying: 'Wird bezahlt …',
  trust: (account) => `Die Zahlung geht an ${account}. Ihre Kartennummer wird nicht weitergegeben.`,

  test_cards: 'Testkarten',
  test_cards_hint: 'Ein Tipp genügt. Andere Karten werden hier nicht angenommen.',
  outcomes: { paid: 'Zahlt', declined: 'Abgelehnt', insufficient_funds: 'Ohne Deckung' },

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
      'Das ist keine Testkarte.',
      'Es wurde nichts abgebucht und die Nummer nicht gespeichert. ' +
        'Nehmen Sie eine der Testkarten unten.',
    ],
    too_many: [
      'Zu viele Versuche.',
      'Es wurde nichts abgebucht. Versuchen Sie es in einer Minute noch einmal.',
    ],
    form_expired: [
      'Das Formular war zu lange offen.',
      'Es wurde nichts abgebucht. Geben Sie die Karte noch einmal ein.',
    ],
    cross_site: [
      'Dieses Formular kam von einer anderen Website.',
      'Es wurde nichts abgebucht. Geben Sie die Karte hier ein, um zu zahlen.',
    ],
  },
  offline: [
    'Sie sind offline.',
    'Es wurde nichts gesendet. Zahlen Sie, sobald die Verbindung wieder steht.',
  ],
  faults: {
    number: {
      missing: 'Geben Sie die Kartennummer ein.',
      malformed: 'Prüfen Sie die Kartennummer. Sie hat 12 bis 19 Ziffern.',
    },
    expires: {
      missing: 'Geben Sie Monat und Jahr ein.',
      malformed: 'Geben Sie Monat und Jahr ein, etwa 04 / 29.',
      past: 'Diese Karte ist abgelaufen. Nehmen Sie eine andere.',
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
    note: (account) => `Sobald das Geld bei ${account} eingegangen ist, steht es auf dieser Seite.`,
  },
  processing: {
    heading: 'Die Zahlung läuft',
    text:
      'Das dauert einige Sekunden. Die Seite geht von selbst weiter. ' +
      'Es wird nicht doppelt abgebucht.',
  },
  paid: { heading: 'Bezahlt', text: (account) => `Ihre Zahlung an ${account} ist eingegangen.` },
  already_paid: {
    heading: 'Schon bezahlt',
    text:
      'Diese Anforderung wurde schon bezahlt, vielleicht in einem anderen Tab. ' +
      'Es wurde nicht doppelt abgebucht.',
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
      'Sie kann nicht mehr bezahlt werden. Wenn Sie das Geld schon überwiesen haben, ' +
      `wenden Sie sich an ${account}. Sonst bitten Sie um eine neue Anforderung.`,
  },
  canceled: {
    heading: 'Diese Anforderung wurde storniert',
    text: (account) => `Hier ist nichts zu zahlen. Fragen Sie im Zweifel ${account}.`,
  },
  expired: {
    heading: 'Diese Anforderung ist abgelaufen',
    text: (date, account) =>
      `Sie war bis zum ${date} zahlbar. Es wurde nichts abgebucht. ` +
      `Bitten Sie ${account} um eine neue Anforderung.`,
    by_transfer: (date, account) =>
      `Sie war bis zum ${date} zahlbar. Wenn Sie das Geld schon überwiesen haben, ` +
      `wenden Sie sich an ${account}. Sonst bitten Sie um eine neue Anforderung.`,
  },
  unavailable: {
    heading: 'Zurzeit ist keine Zahlung möglich',
    text: (account) =>
      `${account} nimmt im Moment keine Zahlungen an. Es wurde nichts abgebucht. ` +
      'Versuchen Sie es später noch einmal.',
    by_transfer: (account) =>
      `${account} nimmt im Moment keine Zahlungen an. Überweisen Sie jetzt nichts. ` +
      'Versuchen Sie es später noch einmal.',
  },
  not_found: {
    heading: 'Hier ist keine Zahlung',
    text:
      'Prüfen Sie die Adresse: Vielleicht fehlt ein Teil. ' +
      'Oder öffnen Sie den Link in der E-Mail noch einmal.',
  },
  away: {
    heading: 'Diese Seite ist kurz nicht erreichbar',
    text:
      'Versuchen Sie es in einer Minute noch einmal. Wenn Sie gerade bezahlt haben, ' +
      'steht es dann hier: Es wird nicht doppelt abgebucht.',
    again: 'Noch einmal versuchen',
  },
}
