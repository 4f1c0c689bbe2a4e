import type { PaymentTranslations } from './payment-translations-shape.ts'

// French puts a no-break space before a colon.
export const fr: PaymentTranslations = {
  sandbox_band: 'Environnement de test\u00a0: aucun argent réel ne circule',
  payments_by: 'Paiements par Florin',
  language: 'Langue',
  error: 'Erreur',
  title: (amount, account) => `Payer ${amount} à ${account}`,

  payment_requested: 'Demande de paiement',
  amount_paid: 'Montant payé',
  reference: 'Référence',
  customer: 'Pour',
  pay_by: 'À payer avant le',

  pay_by_card: 'Payer par carte',
  card_number: 'Numéro de carte',
  expires: 'Expiration',
  expires_hint: 'MM / AA',
  security_code: 'Code de sécurité',
  security_code_hint: '3 ou 4 chiffres',
  pay: (amount) => `Payer ${amount}`,
  paying: 'Traitement en cours…',
  trust: (account) =>
    `Votre paiement est destiné à ${account}, qui n’a jamais accès à votre numéro de carte.`,

  test_cards: 'Cartes de test',
  test_cards_hint:
    'Touchez une carte pour l’utiliser. ' +
    'Aucune autre carte n’est acceptée dans l’environnement de test.',
  outcomes: { paid: 'Acceptée', declined: 'Refusée', insufficient_funds: 'Sans provision' },

  errors: {
    declined: ['La carte a été refusée.', 'Rien n’a été débité. Essayez une autre carte.'],
    insufficient_funds: [
      'La provision de la carte est insuffisante.',
      'Rien n’a été débité. Essayez une autre carte.',
    ],
    card_refused: [
      'Ce n’est pas une carte de test.',
      'Rien n’a été débité et le numéro n’a pas été enregistré. ' +
        'Utilisez l’une des cartes de test ci-dessous.',
    ],
    too_many: ['Trop de tentatives.', 'Rien n’a été débité. Patientez une minute, puis réessayez.'],
    form_expired: [
      'Ce formulaire a expiré.',
      'Rien n’a été débité. Saisissez de nouveau les informations de votre carte.',
    ],
    cross_site: [
      'Ce formulaire a été envoyé depuis un autre site.',
      'Rien n’a été débité. Pour payer, saisissez ici les informations de votre carte.',
    ],
  },
  offline: [
    'Vous êtes hors ligne.',
    'Rien n’a été envoyé. Effectuez le paiement une fois la connexion rétablie.',
  ],
  faults: {
    number: {
      missing: 'Saisissez le numéro de carte.',
      malformed: 'Vérifiez le numéro de carte. Il comporte de 12 à 19 chiffres.',
    },
    expires: {
      missing: 'Saisissez la date d’expiration.',
      malformed: 'Saisissez le mois et l’année, par exemple 04 / 29.',
      past: 'Cette carte a expiré. Utilisez une autre carte.',
    },
    csc: {
      missing: 'Saisissez le code de sécurité.',
      malformed: 'Saisissez les 3 ou 4 chiffres figurant sur la carte.',
    },
  },

  manual: {
    heading: 'Comment payer',
    ask: (account) => `Demandez à ${account} comment payer.`,
    code_label: 'Indiquez ce code comme motif du virement',
    copy: 'Copier le code',
    copied: 'Copié',
    note: (account) => `Cette page sera mise à jour lorsque ${account} aura reçu l’argent.`,
  },
  processing: {
    heading: 'Votre paiement est en cours de traitement',
    text:
      'Cela prend quelques secondes. La page se met à jour automatiquement. ' +
      'Vous ne serez pas débité deux fois.',
  },
  paid: { heading: 'Payé', text: (account) => `${account} a reçu votre paiement.` },
  already_paid: {
    heading: 'Déjà payé',
    text:
      'Cette demande a déjà été payée, peut-être dans un autre onglet. ' +
      'Vous n’avez pas été débité de nouveau.',
  },
  refunded: {
    heading: 'Remboursé',
    text: (account) => `${account} a remboursé l’intégralité de votre paiement.`,
  },
  partly_refunded: {
    heading: 'Partiellement remboursé',
    text: (account, amount, paid) => `${account} a remboursé ${amount} sur ${paid}.`,
  },
  receipt: {
    paid_to: 'Payé à',
    paid_at: 'Payé le',
    refunded_amount: 'Remboursé',
    part: (amount, paid) => `${amount} sur ${paid}`,
    refunded_at: 'Remboursé le',
    number: 'Numéro de reçu',
    print: 'Imprimer le reçu',
  },
  failed: {
    heading: 'Cette demande de paiement est close',
    declined: (account) =>
      'La carte a été refusée dix fois. Rien n’a été débité. ' +
      `Contactez ${account} pour recevoir une nouvelle demande.`,
    text: (account) =>
      'Elle ne peut plus être payée. Rien n’a été débité. ' +
      `Contactez ${account} pour recevoir une nouvelle demande.`,
    by_transfer: (account) =>
      'Elle ne peut plus être payée. Si vous avez déjà envoyé l’argent, contactez ' +
      `${account}. Sinon, demandez-en une nouvelle.`,
  },
  canceled: {
    heading: 'Cette demande de paiement a été annulée',
    text: (account) => `Vous n’avez rien à payer. Pour toute question, contactez ${account}.`,
  },
  expired: {
    heading: 'Cette demande de paiement a expiré',
    text: (date, account) =>
      `Elle a expiré le ${date}. Rien n’a été débité. ` +
      `Contactez ${account} pour recevoir une nouvelle demande.`,
    by_transfer: (date, account) =>
      `Elle a expiré le ${date}. Si vous avez déjà envoyé l’argent, contactez ` +
      `${account}. Sinon, demandez-en une nouvelle.`,
  },
  unavailable: {
    heading: 'Le paiement est actuellement indisponible',
    text: (account) =>
      `${account} ne peut pas accepter de paiements pour le moment. ` +
      'Rien n’a été débité. Réessayez plus tard.',
    by_transfer: (account) =>
      `${account} ne peut pas accepter de paiements pour le moment. ` +
      'N’envoyez pas d’argent. Réessayez plus tard.',
  },
  not_found: {
    heading: 'Demande de paiement introuvable',
    text:
      'Vérifiez l’adresse\u00a0: il en manque peut-être une partie. ' +
      'Vous pouvez aussi ouvrir de nouveau le lien reçu par e-mail.',
  },
  away: {
    heading: 'Cette page est temporairement indisponible',
    text:
      'Réessayez dans une minute. Si vous venez de payer, cette page vous le confirmera. ' +
      'Vous ne serez pas débité deux fois.',
    again: 'Réessayer',
  },
}
