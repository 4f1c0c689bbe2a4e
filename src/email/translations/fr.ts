import type { EmailTranslations } from './email-translations.ts'

export const fr: EmailTranslations = {
  payment_request: ({ name, amount }) => ({
    subject: `${name} vous demande ${amount}`,
    title: `${name} vous demande un paiement`,
    lead:
      'La page de paiement indique ce que vous payez et à qui. ' +
      'Rien n’est débité avant votre confirmation.',
    lead_by_transfer: 'La page de paiement indique ce que vous payez, à qui et comment.',
    button: `Payer ${amount}`,
    note: `Vous ne connaissez pas ${name} ? Ne payez pas. Vous n’avez rien d’autre à faire.`,
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Rappel : ${amount} pour ${name}`,
    title: `Votre paiement à ${name} est toujours en attente`,
    lead: 'Le lien cesse de fonctionner à la date ci-dessous. Rien n’a été débité à ce jour.',
    lead_by_transfer:
      'Le lien cesse de fonctionner à la date ci-dessous. ' +
      'La page de paiement indique comment payer.',
    button: `Payer ${amount}`,
    note: 'Vous venez de payer ? Ce message s’est croisé avec votre paiement : tout est en ordre.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Reçu : ${amount} pour ${name}`,
    title: `Vous avez payé ${name}`,
    lead: 'Voici votre reçu. Vous pouvez aussi l’imprimer depuis la page de paiement.',
    button: 'Voir le reçu',
    note:
      'Ce paiement ne vient pas de vous ? ' +
      `Prévenez ${name} en indiquant la transaction ci-dessous.`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `Remboursement de ${amount} par ${name}`,
    title: `Remboursement par ${name}`,
    lead:
      (is_full
        ? 'Votre paiement a été intégralement remboursé. '
        : `Une partie de votre paiement de ${paid} a été remboursée. `) +
      'Selon votre banque, le versement peut prendre quelques jours ouvrés.',
    button: 'Voir le reçu',
    note:
      'Une question sur ce remboursement ? ' +
      `Contactez ${name} en indiquant la transaction ci-dessous.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Confirmez cette adresse pour ${name}`,
    title: 'Confirmez votre nouvelle adresse',
    lead:
      `Quelqu’un souhaite utiliser cette adresse pour ${name}. ` +
      'Une fois confirmée, elle servira à la connexion du titulaire du compte.',
    button: 'Confirmer l’adresse',
    note: 'Vous n’avez rien demandé ? Ne faites rien. Sans vous, rien ne change.',
  }),
  email_change_requested: ({ name }) => ({
    subject: `Changement d’adresse demandé : ${name}`,
    title: 'Quelqu’un souhaite changer votre adresse',
    lead:
      `L’adresse de ${name} changera dès que la nouvelle sera confirmée. ` +
      'D’ici là, vous vous connectez avec celle-ci.',
    note:
      'Vous n’avez rien demandé ? ' +
      'Changez votre mot de passe maintenant. Cela met fin à la demande.',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `L’adresse de ${name} a changé`,
    title: 'Votre adresse a changé',
    lead: `La nouvelle adresse est confirmée. Elle sert désormais à la connexion pour ${name}.`,
    note: 'Vous ne l’avez pas voulu ? Prévenez tout de suite l’exploitant de ce service.',
  }),
  webhook_gone: ({ name }) => ({
    subject: `Les webhooks de ${name} sont arrêtés`,
    title: 'Votre point de réception n’existe plus',
    lead: 'Le récepteur a répondu 410 : plus rien ne doit lui être envoyé.',
    note:
      'Vous le voulez de nouveau ? Réactivez-le. Les événements des 90 derniers jours ' +
      'peuvent être renvoyés.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Les webhooks de ${name} sont arrêtés : aucune réponse depuis des jours`,
    title: 'Votre point de réception ne répond pas',
    lead: 'Depuis des jours, rien n’y est accepté. Plus rien n’y est donc envoyé.',
    note:
      'Réparez le récepteur, puis réactivez-le. Les événements des 90 derniers jours ' +
      'peuvent être renvoyés.',
  }),
  labels: {
    to: 'À',
    reference: 'Référence',
    pay_by: 'Payable jusqu’au',
    until: 'Valable jusqu’au',
    paid_at: 'Payé le',
    transaction: 'Transaction',
    from: 'De',
    paid: 'Paiement d’origine',
    refunded_at: 'Remboursé le',
    account: 'Compte',
    new_email: 'Nouvelle adresse',
    endpoint: 'Point de réception',
    endpoint_id: 'Identifiant',
  },
  how_to_pay: 'Voir comment payer',
  link: 'Ouvrez cette adresse :',
  without_button: 'Le bouton ne fonctionne pas ? Ouvrez cette adresse :',
  sandbox: 'Bac à sable : aucun argent réel ne circule',
  foot: (name) => `Envoyé pour ${name}. Paiements par Florin.`,
}
