import type { PaymentTranslations } from './payment-translations-shape.ts'

// French puts a no-break space before a colon.
export const fr: PaymentTranslations = {
  sandbox_band: 'Mode test\u00a0: aucun argent réel ne circule',
  payments_by: 'Paiements par Florin',
  language: 'Langue',
  error: 'Erreur',
  title: (amount, account) => `Payer ${amount} à ${account}`,

  payment_requested: 'Demande de paiement',
  amount_paid: 'Montant payé',
  reference: 'Référence',
  customer: 'Pour',
  pay_by: 'Payable jusqu’au',

  pay_by_card: 'Payer par carte',
  card_number: 'Numéro de carte',
  expires: 'Expire fin',
  expires_hint: 'MM / AA',
  security_code: 'Code de sécurité',
  security_code_hint: '3 ou 4 chiffres',
  pay: (amount) => `Payer ${amount}`,
  paying: 'Paiement en cours…',
  trust: (account) =>
    `Le paiement est versé à ${account}, qui ne voit jamais votre numéro de carte.`,

  test_cards: 'Cartes de test',
  test_cards_hint: 'Un geste suffit. Aucune autre carte n’est acceptée ici.',
  outcomes: { paid: 'Paie', declined: 'Refusée', insufficient_funds: 'Sans provision' },

  errors: {
    declined: ['La carte a été refusée.', 'Rien n’a été débité. Essayez une autre carte.'],
    insufficient_funds: [
      'Le solde de cette carte est insuffisant.',
      'Rien n’a été débité. Essayez une autre carte.',
    ],
    card_refused: [
      'Ce n’est pas une carte de test.',
      'Rien n’a été débité et le numéro n’a pas été conservé. ' +
        'Utilisez une des cartes de test ci-dessous.',
    ],
    too_many: ['Trop d’essais.', 'Rien n’a été débité. Attendez une minute, puis réessayez.'],
    form_expired: [
      'Ce formulaire est resté ouvert trop longtemps.',
      'Rien n’a été débité. Saisissez de nouveau la carte.',
    ],
    cross_site: [
      'Un autre site a envoyé ce formulaire.',
      'Rien n’a été débité. Pour payer, saisissez la carte ici.',
    ],
  },
  offline: [
    'Vous êtes hors ligne.',
    'Rien n’a été envoyé. Payez dès que la connexion est rétablie.',
  ],
  faults: {
    number: {
      missing: 'Saisissez le numéro de carte.',
      malformed: 'Vérifiez le numéro de carte. Il compte de 12 à 19 chiffres.',
    },
    expires: {
      missing: 'Saisissez le mois et l’année.',
      malformed: 'Saisissez le mois et l’année, par exemple 04 / 29.',
      past: 'Cette carte a expiré. Utilisez-en une autre.',
    },
    csc: {
      missing: 'Saisissez le code de sécurité.',
      malformed: 'Saisissez les 3 ou 4 chiffres inscrits sur la carte.',
    },
  },

  manual: {
    heading: 'Comment payer',
    ask: (account) => `Demandez à ${account} comment payer.`,
    code_label: 'Indiquez ce code comme motif du virement',
    copy: 'Copier le code',
    copied: 'Copié',
    note: (account) => `Cette page vous le dira quand ${account} aura reçu l’argent.`,
  },
  processing: {
    heading: 'Le paiement est en cours',
    text:
      'Cela prend quelques secondes. La page avance toute seule. ' +
      'Vous ne serez pas débité deux fois.',
  },
  paid: { heading: 'Payé', text: (account) => `${account} a reçu votre paiement.` },
  already_paid: {
    heading: 'Déjà payé',
    text:
      'Cette demande a déjà été payée, peut-être dans un autre onglet. ' +
      'Personne n’a été débité deux fois.',
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
    heading: 'Cette demande est close',
    declined: (account) =>
      'La carte a été refusée dix fois. Rien n’a été débité. ' +
      `Contactez ${account} pour en recevoir une nouvelle.`,
    text: (account) =>
      'Elle ne peut plus être payée. Rien n’a été débité. ' +
      `Contactez ${account} pour en recevoir une nouvelle.`,
    by_transfer: (account) =>
      'Elle ne peut plus être payée. Si vous avez déjà envoyé l’argent, ' +
      `contactez ${account}. Sinon, demandez-en une nouvelle.`,
  },
  canceled: {
    heading: 'Cette demande a été annulée',
    text: (account) => `Il n’y a rien à payer ici. En cas de doute, contactez ${account}.`,
  },
  expired: {
    heading: 'Cette demande a expiré',
    text: (date, account) =>
      `Elle pouvait être payée jusqu’au ${date}. Rien n’a été débité. ` +
      `Contactez ${account} pour en recevoir une nouvelle.`,
    by_transfer: (date, account) =>
      `Elle pouvait être payée jusqu’au ${date}. Si vous avez déjà envoyé l’argent, ` +
      `contactez ${account}. Sinon, demandez-en une nouvelle.`,
  },
  unavailable: {
    heading: 'Aucun paiement n’est possible pour l’instant',
    text: (account) =>
      `${account} n’accepte pas de paiements en ce moment. Rien n’a été débité. ` +
      'Réessayez plus tard.',
    by_transfer: (account) =>
      `${account} n’accepte pas de paiements en ce moment. N’envoyez pas d’argent ` +
      'maintenant. Réessayez plus tard.',
  },
  not_found: {
    heading: 'Aucun paiement ici',
    text:
      'Vérifiez l’adresse\u00a0: il en manque peut-être une partie. ' +
      'Ou ouvrez de nouveau le lien reçu par e-mail.',
  },
  away: {
    heading: 'Cette page est momentanément indisponible',
    text:
      'Réessayez dans une minute. Si vous venez de payer, la page le dira\u00a0: ' +
      'personne n’est débité deux fois.',
    again: 'Réessayer',
  },
}
