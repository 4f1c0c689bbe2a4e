import type { Translations } from '../translations.ts'

export const emails: Translations['emails'] = {
  payment_request: ({ name, amount }) => ({
    subject: `${name} vous demande un paiement de ${amount}`,
    title: `${name} vous demande un paiement`,
    lead:
      'Vérifiez les informations sur la page de paiement. ' +
      'Rien ne sera débité avant votre confirmation.',
    lead_by_transfer: 'La page de paiement vous donne les informations et explique comment payer.',
    button: `Payer ${amount}`,
    note:
      `Vous ne connaissez pas ${name}\u00a0? Vous pouvez ignorer cet e-mail. ` +
      'Aucun montant ne vous sera prélevé.',
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Rappel\u00a0: paiement de ${amount} à ${name}`,
    title: `Votre paiement à ${name} est toujours en attente`,
    lead: 'Le lien de paiement expire à la date indiquée ci-dessous. Rien n’a encore été débité.',
    lead_by_transfer:
      'Le lien de paiement expire à la date indiquée ci-dessous. ' +
      'La page de paiement explique comment payer.',
    button: `Payer ${amount}`,
    note: 'Vous avez déjà payé\u00a0? Vous pouvez ignorer ce rappel.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Reçu\u00a0: ${amount} à ${name}`,
    title: `Vous avez payé ${name}`,
    lead: 'Voici votre reçu. Vous pouvez l’imprimer depuis la page de paiement.',
    button: 'Voir le reçu',
    note:
      'Vous n’êtes pas à l’origine de ce paiement\u00a0? ' +
      `Contactez ${name} en indiquant l’ID de transaction ci-dessus.`,
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
      'Une question sur ce remboursement\u00a0? ' +
      `Contactez ${name} en indiquant l’ID de transaction ci-dessus.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Confirmez votre nouvelle adresse e-mail pour ${name}`,
    title: 'Confirmez votre nouvelle adresse e-mail',
    lead:
      `Cette adresse a été indiquée comme nouvelle adresse e-mail pour ${name}. ` +
      'Après confirmation, utilisez-la pour vous connecter.',
    button: 'Confirmer l’adresse e-mail',
    note:
      'Vous n’êtes pas à l’origine de cette demande\u00a0? ' +
      'Vous pouvez ignorer cet e-mail. Rien ne changera.',
  }),
  email_change_requested: ({ name }) => ({
    subject: `Changement d’adresse e-mail demandé pour ${name}`,
    title: 'Changement d’adresse e-mail demandé',
    lead:
      `L’adresse e-mail associée à ${name} changera dès que la nouvelle sera confirmée. ` +
      'D’ici là, connectez-vous avec votre adresse actuelle.',
    note:
      'Vous n’êtes pas à l’origine de cette demande\u00a0? ' +
      'Changez immédiatement votre mot de passe pour l’annuler.',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `Adresse e-mail modifiée pour ${name}`,
    title: 'Votre adresse e-mail a été modifiée',
    lead:
      'La nouvelle adresse a été confirmée. ' +
      `Utilisez-la désormais pour vous connecter à ${name}.`,
    note:
      'Vous n’êtes pas à l’origine de ce changement\u00a0? ' +
      'Contactez immédiatement l’administrateur de ce service.',
  }),
  sign_up_verification: ({ service }) => ({
    subject: `Confirmez votre adresse e-mail pour ${service}`,
    title: 'Confirmez votre adresse e-mail',
    lead: 'Ouvrez le lien et saisissez le mot de passe choisi pour activer votre compte.',
    button: 'Confirmer l’adresse e-mail',
    note:
      'Vous ne vous êtes pas inscrit\u00a0? Vous pouvez ignorer cet e-mail. ' +
      'L’inscription est supprimée au bout d’un jour.',
  }),
  sign_up_attempt: ({ service }) => ({
    subject: `Vous avez déjà un compte sur ${service}`,
    title: 'Vous avez déjà un compte',
    lead:
      'Cette adresse a été utilisée pour une inscription, mais elle appartient déjà à un compte. ' +
      'Connectez-vous ou réinitialisez votre mot de passe sur la page de connexion.',
    button: 'Se connecter',
    note:
      'Vous n’avez pas essayé de vous inscrire\u00a0? ' +
      'Vous pouvez ignorer cet e-mail. Rien n’a changé.',
  }),
  password_reset: ({ service }) => ({
    subject: `Réinitialisez votre mot de passe pour ${service}`,
    title: 'Réinitialisez votre mot de passe',
    lead:
      'Ouvrez le lien pour définir un nouveau mot de passe. ' +
      'Il fonctionne une seule fois et ferme toutes vos sessions.',
    button: 'Définir un mot de passe',
    note:
      'Vous n’êtes pas à l’origine de cette demande\u00a0? ' +
      'Vous pouvez ignorer cet e-mail. Votre mot de passe ne change pas.',
  }),
  password_changed: ({ service }) => ({
    subject: `Votre mot de passe pour ${service} a été modifié`,
    title: 'Votre mot de passe a été modifié',
    lead:
      'Le mot de passe a été réinitialisé à l’aide d’un lien, ' +
      'et toutes les sessions ont été fermées.',
    note:
      'Vous n’êtes pas à l’origine de ce changement\u00a0? ' +
      'Contactez immédiatement l’opérateur de ce service.',
  }),
  invitation: ({ name }) => ({
    subject: `${name} vous invite à rejoindre son équipe`,
    title: `Rejoignez ${name}`,
    lead:
      `Vous êtes invité à travailler avec ${name}. ` +
      'Ouvrez le lien pour choisir un mot de passe.',
    button: 'Accepter l’invitation',
    note: `Vous ne connaissez pas ${name}\u00a0? Vous pouvez ignorer cet e-mail.`,
  }),
  dispute_opened: ({ name, amount }) => ({
    subject: `Paiement contesté\u00a0: ${amount} à ${name}`,
    title: 'Un paiement a été contesté',
    lead:
      'Le titulaire de la carte conteste ce paiement auprès de sa banque. ' +
      'Le montant a été retiré de votre solde en attendant la décision de la banque.',
    note:
      'Pour vous y opposer, envoyez à temps des justificatifs à votre prestataire de paiement. ' +
      'Un paiement contesté ne peut pas être remboursé.',
  }),
  dispute_won: ({ name, amount }) => ({
    subject: `Litige gagné\u00a0: ${amount} pour ${name}`,
    title: 'Vous avez gagné le litige',
    lead: 'La banque a tranché en votre faveur. Le montant a été recrédité sur votre solde.',
    note: 'Vous n’avez rien d’autre à faire.',
  }),
  dispute_lost: ({ name, amount }) => ({
    subject: `Litige perdu\u00a0: ${amount} pour ${name}`,
    title: 'Vous avez perdu le litige',
    lead: 'La banque a tranché en faveur du titulaire de la carte, qui conserve le montant.',
    note: 'Vous n’avez rien d’autre à faire. Le montant a été retiré à l’ouverture du litige.',
  }),
  payment_received: ({ name, amount, count }) => ({
    subject:
      count === 1 ? `Paiement reçu : ${amount}` : `${count} paiements : ${amount} pour ${name}`,
    title: count === 1 ? 'Vous avez été payé' : `Vous avez reçu ${count} paiements`,
    lead:
      count === 1
        ? 'Le paiement a été ajouté à votre solde.'
        : 'Ces paiements sont arrivés en une heure et ont été ajoutés à votre solde.',
    button: 'Voir les transactions',
    note: 'Le client a déjà reçu un reçu.',
  }),
  payment_failed: ({ name, amount, count }) => ({
    subject:
      count === 1 ? `Échec du paiement : ${amount}` : `${count} paiements échoués pour ${name}`,
    title: count === 1 ? 'Un paiement a échoué' : `${count} paiements ont échoué`,
    lead: 'Aucun argent n’a été reçu.',
    button: 'Voir les demandes de paiement',
    note: 'Pour être payé, envoyez une nouvelle demande de paiement au client.',
  }),
  new_login: () => ({
    subject: 'Nouvelle connexion à votre compte',
    title: 'Nouvelle connexion',
    lead: 'Quelqu’un s’est connecté depuis une adresse ou un appareil inconnu jusqu’ici.',
    note: 'Ce n’était pas vous ? Changez votre mot de passe : les autres sessions seront fermées.',
  }),
  weekly_summary: ({ name, week }) => ({
    subject: `Votre semaine chez ${name}`,
    title: 'Votre semaine',
    lead: `Voici ce qui s’est passé : ${week}.`,
    button: 'Ouvrir le tableau de bord',
    note: 'Les montants comptent au jour de création du paiement.',
  }),
  settings: 'Modifier vos notifications',
  webhook_gone: ({ name }) => ({
    subject: `Endpoint de webhook désactivé pour ${name}`,
    title: 'Votre endpoint de webhook a été désactivé',
    lead:
      'Il a renvoyé le statut HTTP 410 (Gone). ' +
      'Par conséquent, plus aucun événement ne lui est envoyé.',
    note:
      'Pour recevoir de nouveau des événements, réactivez l’endpoint. ' +
      'Vous pouvez renvoyer les événements des 90 derniers jours.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Endpoint de webhook désactivé pour ${name}\u00a0: échecs de livraison`,
    title: 'Votre endpoint de webhook a été désactivé',
    lead:
      'Toutes les livraisons échouent depuis plusieurs jours. ' +
      'Par conséquent, plus aucun événement ne lui est envoyé.',
    note:
      'Corrigez le problème, puis réactivez l’endpoint. ' +
      'Vous pouvez renvoyer les événements des 90 derniers jours.',
  }),
  payout_destination_changed: ({ name }) => ({
    subject: `Compte de versement modifié pour ${name}`,
    title: 'Votre compte de versement a été modifié',
    lead:
      'Les nouveaux versements sont envoyés sur le compte bancaire ci-dessous. ' +
      'Le prochain versement doit d’abord être approuvé.',
    note:
      'Vous n’êtes pas à l’origine de ce changement\u00a0? ' +
      'Contactez immédiatement l’exploitant de ce service.',
  }),
  how_to_pay: 'Voir comment payer',
  link: 'Ouvrez ce lien\u00a0:',
  without_button: 'Le bouton ne fonctionne pas\u00a0? Ouvrez ce lien\u00a0:',
  foot: (name) => `Envoyé pour ${name}. Paiements par Florin.`,
  service_foot: (name) => `Envoyé par ${name}.`,
}
