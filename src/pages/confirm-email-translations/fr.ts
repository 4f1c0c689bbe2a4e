import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

// French puts a no-break space before a colon and a question mark.
export const fr: ConfirmEmailTranslations = {
  account: 'Compte',
  email: 'Adresse',
  new_email: 'Nouvelle adresse',
  this_link: 'Ce lien',
  link_lifetime: 'sert une seule fois, pendant 24 heures',

  confirm: {
    heading: 'Confirmez votre nouvelle adresse',
    lead: (account) =>
      `Quelqu’un souhaite utiliser cette adresse pour ${account}. ` +
      'Tant que vous n’avez pas confirmé, l’ancienne reste valable.',
    what: 'Ce que change la confirmation',
    steps: [
      [
        'Le titulaire se connecte avec la nouvelle adresse',
        'Le mot de passe ne change pas et les sessions ouvertes continuent.',
      ],
      ['L’ancienne adresse est prévenue', 'Elle ne permet plus de se connecter.'],
    ],
    button: 'Confirmer l’adresse',
    safe: 'Vous n’avez rien demandé\u00a0? Fermez cette page. Rien ne change.',
  },
  next: 'Que faire maintenant',
  confirmed: {
    heading: 'L’adresse a changé',
    lead: (account) =>
      `Le titulaire de ${account} se connecte désormais avec cette adresse. ` +
      'Le lien a rempli son rôle et n’ouvre plus rien.',
    steps: [
      [
        'Connectez-vous avec la nouvelle adresse',
        'Le mot de passe est le même et les sessions ouvertes continuent.',
      ],
      ['Regardez dans l’ancienne boîte', 'Un message y annonce que l’adresse a changé.'],
    ],
  },
  dead: {
    heading: 'Ce lien ne fonctionne pas',
    lead:
      'Il a déjà servi, il date de plus de 24 heures, un lien plus récent a été envoyé ' +
      'ou le mot de passe a changé depuis.',
    steps: [
      ['Vous avez déjà confirmé', 'L’adresse a changé. Connectez-vous avec la nouvelle.'],
      [
        'Vous n’avez pas encore confirmé',
        'Le compte garde son ancienne adresse. Demandez de nouveau le changement.',
      ],
    ],
  },
  taken: {
    heading: 'Cette adresse est déjà prise',
    lead:
      'Depuis la demande, un utilisateur s’est inscrit avec cette adresse. ' +
      'Rien n’a changé\u00a0: le compte garde son ancienne adresse.',
    steps: [
      ['Cet utilisateur, c’est vous', 'Supprimez-le, puis ouvrez de nouveau le lien.'],
      ['C’est quelqu’un d’autre', 'Demandez le changement vers une autre adresse.'],
    ],
  },
}
