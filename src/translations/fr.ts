import { emails } from './emails/fr.ts'
import type { Translations } from './translations.ts'

// French puts a no-break space before a colon and a question mark. In emails, a name never follows
// "de", which would need an elision before a vowel.

const labels: Translations['labels'] = {
  sandbox: 'Environnement de test\u00a0: aucun argent réel ne circule',
  to: 'Bénéficiaire',
  reference: 'Référence',
  pay_by: 'À payer avant le',
  until: 'Expiration du lien',
  paid_at: 'Payé le',
  transaction: 'ID de transaction',
  from: 'De',
  paid: 'Paiement d’origine',
  refunded_at: 'Remboursé le',
  account: 'Compte',
  new_email: 'Nouvelle adresse',
  changed_at: 'Modifié le',
  holder: 'Titulaire du compte',
  endpoint: 'Endpoint',
  endpoint_id: 'ID de l’endpoint',
  respond_by: 'Répondre avant le',
  payments: 'Paiements',
  volume: 'Reçu',
  refunds: 'Remboursements',
  fees: 'Frais',
  failed: 'Échoués',
  open: 'Demandes en cours',
  logged_in_at: 'Connexion le',
  address: 'Adresse IP',
  client: 'Appareil',
  dispute: 'ID du litige',
  message: 'Message pour vous',
}

const payment_page: Translations['payment_page'] = {
  payments_by: 'Paiements par Florin',
  language: 'Langue',
  error: 'Erreur',
  title: (amount, account) => `Payer ${amount} à ${account}`,

  payment_requested: 'Demande de paiement',
  amount_paid: 'Montant payé',
  customer: 'Pour',
  contact: 'Une question sur ce paiement\u00a0?',
  terms: 'Conditions générales',
  statement_name: 'Sur votre relevé',
  back: (account) => `Retour à ${account}`,

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
  outcomes: {
    paid: 'Acceptée',
    needs_confirmation: '3-D Secure',
    disputed: 'Payée, puis contestée',
    declined: 'Refusée',
    insufficient_funds: 'Sans provision',
    processing_error: 'Erreur de traitement',
  },

  errors: {
    declined: ['La carte a été refusée.', 'Rien n’a été débité. Essayez une autre carte.'],
    insufficient_funds: [
      'La provision de la carte est insuffisante.',
      'Rien n’a été débité. Essayez une autre carte.',
    ],
    processing_error: [
      'La carte n’a pas pu être traitée.',
      'Rien n’a été débité. Réessayez dans une minute ou utilisez une autre carte.',
    ],
    authentication_failed: [
      'Le paiement n’a pas été confirmé.',
      'Rien n’a été débité. Réessayez ou utilisez une autre carte.',
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

  checkout: {
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
  },
  confirm: {
    heading: 'Confirmez le paiement',
    text: (amount, account) =>
      `Votre banque vous demande de confirmer le paiement de ${amount} à ${account}.`,
    confirm: 'Confirmer le paiement',
    reject: 'Refuser le paiement',
    note: 'Dans l’environnement de test, Florin joue le rôle de la banque. Choisissez le résultat.',
  },
  manual: {
    heading: 'Comment payer',
    ask: (account) => `Demandez à ${account} comment payer.`,
    code_label: 'Indiquez ce code comme motif du virement',
    copy: 'Copier le code',
    copied: 'Copié',
    note: (account) => `Cette page sera mise à jour lorsque ${account} aura reçu l’argent.`,
  },
  transfer: {
    lead: 'Virez exactement ce montant et indiquez le motif, qui identifie votre paiement.',
    recipient: 'Bénéficiaire',
    amount: 'Montant',
    code: 'Motif du virement',
    copy: 'Copier',
    qr_label: 'Code QR avec les données du virement',
    scan: 'Ou scannez ce code avec l’application de votre banque. Elle remplit le virement.',
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
    refunded_amount: 'Remboursé',
    part: (amount, paid) => `${amount} sur ${paid}`,
    download: 'Télécharger le reçu (PDF)',
    download_credit_note: 'Télécharger l’avoir (PDF)',
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
    heading: 'Paiement introuvable',
    text:
      'Vérifiez l’adresse\u00a0: il en manque peut-être une partie. ' +
      'Vous pouvez aussi ouvrir de nouveau le lien que vous avez reçu.',
  },
  away: {
    heading: 'Cette page est temporairement indisponible',
    text:
      'Réessayez dans une minute. Si vous venez de payer, cette page vous le confirmera. ' +
      'Vous ne serez pas débité deux fois.',
    again: 'Réessayer',
  },
}

const link_page: Translations['link_page'] = {
  title: (account) => `Payer ${account}`,
  heading: 'Vos coordonnées',
  email: 'Votre adresse e-mail',
  email_hint: 'Pour votre reçu.',
  email_fault: 'Saisissez une adresse e-mail, par exemple ann@example.com.',
  amount: 'Montant',
  amount_range: (min, max) => `De ${min} à ${max}.`,
  amount_fault: (min, max, example) =>
    `Saisissez un montant de ${min} à ${max}, par exemple ${example}.`,
  continue: 'Continuer vers le paiement',
  errors: {
    form_expired: [
      'Ce formulaire a expiré.',
      'Vous n’avez pas été débité. Vérifiez vos informations et continuez.',
    ],
    cross_site: [
      'Ce formulaire a été envoyé depuis un autre site.',
      'Vous n’avez pas été débité. Pour payer, saisissez vos informations ici.',
    ],
    too_many: [
      'Trop de tentatives.',
      'Vous n’avez pas été débité. Attendez une minute, puis réessayez.',
    ],
  },
  ended: {
    heading: 'Ce lien de paiement n’est plus valable',
    text: (account) => `Vous n’avez pas été débité. Demandez un nouveau lien à ${account}.`,
  },
  used_up: {
    heading: 'Plus aucun paiement possible pour le moment',
    text: (account) =>
      `D’autres personnes effectuent les derniers paiements à ${account}. ` +
      'Vous n’avez pas été débité. Réessayez dans une heure.',
  },
}

const confirm_email_page: Translations['confirm_email_page'] = {
  email: 'Adresse e-mail',
  this_link: 'Ce lien',
  link_lifetime: 'est valable une seule fois, pendant 24 heures',

  confirm: {
    heading: 'Confirmez votre nouvelle adresse e-mail',
    lead: (account) =>
      `Cette adresse a été indiquée comme nouvelle adresse e-mail pour ${account}. ` +
      'Jusqu’à votre confirmation, l’ancienne adresse reste en vigueur.',
    what: 'Après confirmation',
    steps: [
      [
        'Vous vous connectez avec la nouvelle adresse',
        'Votre mot de passe ne change pas et les sessions actives restent ouvertes.',
      ],
      ['L’ancienne adresse est avertie', 'Elle ne permet plus de se connecter.'],
    ],
    button: 'Confirmer l’adresse e-mail',
    safe:
      'Vous n’êtes pas à l’origine de cette demande\u00a0? ' +
      'Fermez cette page. Rien ne changera.',
  },
  next: 'Étapes suivantes',
  confirmed: {
    heading: 'Votre adresse e-mail a été modifiée',
    lead: (account) =>
      `Utilisez désormais cette adresse pour vous connecter à ${account}. ` +
      'Ce lien a été utilisé et ne fonctionne plus.',
    steps: [
      [
        'Connectez-vous avec la nouvelle adresse',
        'Votre mot de passe est inchangé et les sessions actives restent ouvertes.',
      ],
      [
        'Consultez votre ancienne boîte de réception',
        'Vous y trouverez un message confirmant le changement.',
      ],
    ],
  },
  invalid: {
    heading: 'Ce lien ne fonctionne pas',
    lead:
      'Il a déjà été utilisé, il date de plus de 24 heures, un lien plus récent a été envoyé ' +
      'ou le mot de passe a été modifié depuis.',
    steps: [
      [
        'Si vous avez déjà confirmé',
        'Votre adresse e-mail a été modifiée. Connectez-vous avec la nouvelle adresse.',
      ],
      [
        'Si vous n’avez pas encore confirmé',
        'Le compte utilise toujours l’ancienne adresse. Demandez de nouveau le changement.',
      ],
    ],
  },
  taken: {
    heading: 'Cette adresse e-mail est déjà utilisée',
    lead:
      'Un autre utilisateur s’est inscrit avec cette adresse après la demande de changement. ' +
      'Rien n’a changé\u00a0: le compte utilise toujours l’ancienne adresse.',
    steps: [
      [
        'Si cet utilisateur, c’est vous',
        'Supprimez cet utilisateur, puis ouvrez de nouveau ce lien.',
      ],
      ['S’il s’agit d’une autre personne', 'Demandez le changement vers une autre adresse.'],
    ],
  },
}

export const fr: Translations = {
  name: 'Français',
  labels,
  emails,
  payment_page,
  link_page,
  confirm_email_page,
}
