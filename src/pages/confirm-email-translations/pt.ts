import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

// As on the payment page: worded so that it reads as one's own in Brazil and in Portugal. For the
// password it keeps to the word of the email that leads here. As in German, a heading's
// hyphen does not break.
export const pt: ConfirmEmailTranslations = {
  account: 'Conta',
  email: 'E-mail',
  new_email: 'Novo e-mail',
  this_link: 'Este link',
  link_lifetime: 'funciona uma vez, durante 24 horas',

  confirm: {
    heading: 'Confirme o seu novo e\u2011mail',
    lead: (account) =>
      `Alguém pediu que este endereço passe a ser o e-mail de ${account}. ` +
      'Até a confirmação, o anterior continua válido.',
    what: 'O que muda com a confirmação',
    steps: [
      [
        'O titular da conta entra com o novo e-mail',
        'A senha não muda e as sessões abertas continuam.',
      ],
      ['O endereço anterior é avisado', 'Ele deixa de servir para entrar.'],
    ],
    button: 'Confirmar e-mail',
    safe: 'Não fez este pedido? Feche esta página. Nada muda.',
  },
  next: 'O que fazer agora',
  confirmed: {
    heading: 'O e\u2011mail mudou',
    lead: (account) =>
      `O titular de ${account} agora entra com este endereço. ` +
      'O link cumpriu a sua função e já não abre nada.',
    steps: [
      ['Entre com o novo e-mail', 'A senha é a mesma e as sessões abertas continuam.'],
      ['Veja a caixa de entrada anterior', 'Uma mensagem diz ali que o e-mail mudou.'],
    ],
  },
  dead: {
    heading: 'Este link não funciona',
    lead:
      'Já foi usado, tem mais de 24 horas, foi enviado um mais recente ' +
      'ou a senha mudou depois disso.',
    steps: [
      ['Já tinha confirmado', 'O e-mail mudou. Entre com o novo.'],
      ['Ainda não tinha confirmado', 'A conta mantém o e-mail anterior. Peça a troca de novo.'],
    ],
  },
  taken: {
    heading: 'Este e\u2011mail já está em uso',
    lead:
      'Depois do pedido de troca, foi criado um acesso com este e-mail. ' +
      'Nada mudou: a conta mantém o e-mail anterior.',
    steps: [
      ['Esse acesso é seu', 'Apague-o e abra o link de novo.'],
      ['É de outra pessoa', 'Peça a troca para outro endereço.'],
    ],
  },
}
