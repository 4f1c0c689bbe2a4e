import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

// French puts a no-break space before a colon and a question mark.
export const fr: ConfirmEmailTranslations = {
  account: 'Compte',
  email: 'Adresse e-mail',
  new_email: 'Nouvelle adresse',
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
