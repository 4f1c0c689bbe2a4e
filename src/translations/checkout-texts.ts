// The texts of the payment page with providers, in every language.

import type { PaymentPageTranslations } from './translations.ts'

type CheckoutTexts = PaymentPageTranslations['checkout']

const en: CheckoutTexts = {
  heading: 'Pay securely online',
  pay_with: {
    stripe: 'Pay by card (Stripe)',
    mollie: 'Pay by bank, card or wallet (Mollie)',
  },
  opening: 'Opening…',
  trust: (account) =>
    `You pay on the secure page of our payment provider. ${account} never sees your card number.`,
  or_transfer: 'Or pay by bank transfer',
  errors: {
    unavailable: [
      "The provider's payment page could not be opened.",
      'You were not charged. Try again in a minute.',
    ],
    rejected: [
      'The payment provider did not accept this payment.',
      'You were not charged. Try another way to pay, or contact the payee.',
    ],
    form_expired: ['This form has expired.', 'You were not charged. Choose how to pay again.'],
    cross_site: [
      'This form was sent from another website.',
      'You were not charged. To pay, use the button below.',
    ],
  },
}

const de: CheckoutTexts = {
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
}

const es: CheckoutTexts = {
  heading: 'Pague en línea de forma segura',
  pay_with: {
    stripe: 'Pagar con tarjeta (Stripe)',
    mollie: 'Pagar con banco, tarjeta o monedero digital (Mollie)',
  },
  opening: 'Abriendo…',
  trust: (account) =>
    'El pago se realiza en la página segura de nuestro proveedor de pagos. ' +
    `${account} en ningún momento ve su número de tarjeta.`,
  or_transfer: 'O pague por transferencia bancaria',
  errors: {
    unavailable: [
      'No se ha podido abrir la página del proveedor de pagos.',
      'No se le ha cobrado nada. Vuelva a intentarlo en un minuto.',
    ],
    rejected: [
      'El proveedor de pagos no ha aceptado este pago.',
      'No se le ha cobrado nada. Pruebe otra forma de pago o póngase en contacto con el ' +
        'destinatario.',
    ],
    form_expired: [
      'Este formulario ha caducado.',
      'No se le ha cobrado nada. Vuelva a elegir la forma de pago.',
    ],
    cross_site: [
      'Este formulario se envió desde otro sitio web.',
      'No se le ha cobrado nada. Para pagar, utilice el botón de abajo.',
    ],
  },
}

const fr: CheckoutTexts = {
  heading: 'Payez en ligne en toute sécurité',
  pay_with: {
    stripe: 'Payer par carte (Stripe)',
    mollie: 'Payer par banque, carte ou portefeuille numérique (Mollie)',
  },
  opening: 'Ouverture en cours…',
  trust: (account) =>
    'Vous payez sur la page sécurisée de notre prestataire de paiement. ' +
    `${account} n’a jamais accès à votre numéro de carte.`,
  or_transfer: 'Ou payez par virement bancaire',
  errors: {
    unavailable: [
      'La page du prestataire de paiement n’a pas pu être ouverte.',
      'Rien n’a été débité. Réessayez dans une minute.',
    ],
    rejected: [
      'Le prestataire de paiement n’a pas accepté ce paiement.',
      'Rien n’a été débité. Choisissez un autre moyen de paiement ou contactez le bénéficiaire.',
    ],
    form_expired: [
      'Ce formulaire a expiré.',
      'Rien n’a été débité. Choisissez de nouveau un moyen de paiement.',
    ],
    cross_site: [
      'Ce formulaire a été envoyé depuis un autre site.',
      'Rien n’a été débité. Pour payer, utilisez le bouton ci-dessous.',
    ],
  },
}

const ja: CheckoutTexts = {
  heading: '安全なオンライン決済',
  pay_with: {
    stripe: 'カードで支払う（Stripe）',
    mollie: '銀行・カード・ウォレットで支払う（Mollie）',
  },
  opening: '開いています…',
  trust: (account) =>
    '決済代行会社の安全なページでお支払いいただきます。' +
    `カード番号が ${account} に開示されることはありません。`,
  or_transfer: 'または銀行振込で支払う',
  errors: {
    unavailable: [
      '決済ページを開けませんでした。',
      '請求は発生していません。1 分ほど待ってから、もう一度お試しください。',
    ],
    rejected: [
      '決済代行会社がこのお支払いを受け付けませんでした。',
      '請求は発生していません。別のお支払い方法をお試しいただくか、お支払い先にお問い合わせください。',
    ],
    form_expired: [
      'フォームの有効期限が切れました。',
      '請求は発生していません。お支払い方法をもう一度選択してください。',
    ],
    cross_site: [
      'このフォームは別のサイトから送信されました。',
      '請求は発生していません。お支払いになるには、下のボタンをご利用ください。',
    ],
  },
}

const pt: CheckoutTexts = {
  heading: 'Pague online com segurança',
  pay_with: {
    stripe: 'Pagar com cartão (Stripe)',
    mollie: 'Pagar com banco, cartão ou carteira digital (Mollie)',
  },
  opening: 'A abrir…',
  trust: (account) =>
    'O pagamento é feito na página segura do nosso prestador de pagamentos. ' +
    `${account} nunca vê o número do seu cartão.`,
  or_transfer: 'Ou pague por transferência bancária',
  errors: {
    unavailable: [
      'Não foi possível abrir a página do prestador de pagamentos.',
      'Nada foi cobrado. Tente novamente dentro de um minuto.',
    ],
    rejected: [
      'O prestador de pagamentos não aceitou este pagamento.',
      'Nada foi cobrado. Escolha outra forma de pagamento ou contacte o beneficiário.',
    ],
    form_expired: [
      'Este formulário expirou.',
      'Nada foi cobrado. Escolha novamente a forma de pagamento.',
    ],
    cross_site: [
      'Este formulário foi enviado a partir de outro site.',
      'Nada foi cobrado. Para pagar, utilize o botão abaixo.',
    ],
  },
}

export const checkoutTexts = { en, de, es, fr, ja, pt }
