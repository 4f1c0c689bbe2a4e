import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

// Written for readers in both Brazil and Portugal, like the payment page. It uses "senha"
// for password, as the email that links here does. Headings use a non-breaking hyphen in "e‑mail".
export const pt: ConfirmEmailTranslations = {
  account: 'Conta',
  email: 'E-mail',
  new_email: 'Novo e-mail',
  this_link: 'Este link',
  link_lifetime: 'funciona uma única vez, durante 24 horas',

  confirm: {
    heading: 'Confirme o seu novo e\u2011mail',
    lead: (account) =>
      `Este endereço foi indicado como o novo e-mail de ${account}. ` +
      'Até a confirmação, o endereço anterior continua em uso.',
    what: 'Após a confirmação',
    steps: [
      [
        'Passa a iniciar sessão com o novo e-mail',
        'A sua senha não muda e as sessões ativas continuam abertas.',
      ],
      ['O endereço anterior é notificado', 'Deixa de servir para iniciar sessão.'],
    ],
    button: 'Confirmar e-mail',
    safe: 'Não fez este pedido? Feche esta página. Nada será alterado.',
  },
  next: 'Próximos passos',
  confirmed: {
    heading: 'O seu e\u2011mail foi alterado',
    lead: (account) =>
      `A partir de agora, utilize este endereço para iniciar sessão em ${account}. ` +
      'Este link já foi utilizado e deixou de funcionar.',
    steps: [
      [
        'Inicie sessão com o novo e-mail',
        'A sua senha é a mesma e as sessões ativas continuam abertas.',
      ],
      ['Consulte a caixa de entrada anterior', 'Uma mensagem confirma a alteração.'],
    ],
  },
  invalid: {
    heading: 'Este link não funciona',
    lead:
      'Já foi utilizado, tem mais de 24 horas, foi enviado um mais recente ' +
      'ou a senha foi alterada depois disso.',
    steps: [
      ['Se já confirmou', 'O seu e-mail foi alterado. Inicie sessão com o novo endereço.'],
      [
        'Se ainda não confirmou',
        'A conta mantém o endereço anterior. Solicite a alteração novamente.',
      ],
    ],
  },
  taken: {
    heading: 'Este e\u2011mail já está em uso',
    lead:
      'Depois do pedido de alteração, foi criado um acesso com este endereço. ' +
      'Nada foi alterado: a conta mantém o endereço anterior.',
    steps: [
      ['Se esse acesso é seu', 'Apague-o e abra este link novamente.'],
      ['Se é de outra pessoa', 'Solicite a alteração para outro endereço.'],
    ],
  },
}
