import { emails } from './emails/pt.ts'
import type { Translations } from './translations.ts'

// Written for readers in both Brazil and Portugal: no "você", no gerunds, and no words that only
// one of the two uses, except "senha" for password.

const labels: Translations['labels'] = {
  sandbox: 'Ambiente de testes: sem dinheiro real',
  to: 'Destinatário',
  reference: 'Referência',
  pay_by: 'Pagar até',
  until: 'O link expira em',
  paid_at: 'Pago em',
  transaction: 'ID da transação',
  from: 'De',
  paid: 'Pagamento original',
  refunded_at: 'Reembolsado em',
  account: 'Conta',
  new_email: 'Novo e-mail',
  changed_at: 'Alterada em',
  holder: 'Titular da conta',
  endpoint: 'Endpoint',
  endpoint_id: 'ID do endpoint',
  respond_by: 'Responder até',
  payments: 'Pagamentos',
  volume: 'Recebido',
  refunds: 'Reembolsos',
  fees: 'Taxas',
  failed: 'Com falha',
  open: 'Pedidos em aberto',
  logged_in_at: 'Login em',
  address: 'Endereço IP',
  client: 'Dispositivo',
  dispute: 'ID da contestação',
  message: 'Mensagem',
}

const payment_page: Translations['payment_page'] = {
  payments_by: 'Pagamentos com Florin',
  language: 'Idioma',
  error: 'Erro',
  title: (amount, account) => `Pagar ${amount} a ${account}`,

  payment_requested: 'Pedido de pagamento',
  amount_paid: 'Valor pago',
  customer: 'Para',
  contact: 'Dúvidas sobre este pagamento?',
  terms: 'Termos e condições',
  statement_name: 'No seu extrato',
  back: (account) => `Voltar a ${account}`,

  pay_by_card: 'Pagar com cartão',
  card_number: 'Número do cartão',
  expires: 'Validade',
  expires_hint: 'MM / AA',
  security_code: 'Código de segurança',
  security_code_hint: '3 ou 4 dígitos',
  pay: (amount) => `Pagar ${amount}`,
  paying: 'Pagamento em curso…',
  trust: (account) =>
    `O seu pagamento destina-se a ${account}, que nunca vê o número do seu cartão.`,

  test_cards: 'Cartões de teste',
  test_cards_hint: 'Toque no cartão que deseja usar. O ambiente de testes só aceita estes cartões.',
  outcomes: {
    paid: 'Aprovado',
    needs_confirmation: '3-D Secure',
    disputed: 'Pago, depois contestado',
    declined: 'Recusado',
    insufficient_funds: 'Sem saldo',
    processing_error: 'Erro de processamento',
  },

  errors: {
    declined: ['O cartão foi recusado.', 'Nada foi cobrado. Tente outro cartão.'],
    insufficient_funds: [
      'O cartão não tem saldo suficiente.',
      'Nada foi cobrado. Tente outro cartão.',
    ],
    processing_error: [
      'Não foi possível processar o cartão.',
      'Nada foi cobrado. Tente novamente dentro de um minuto ou utilize outro cartão.',
    ],
    authentication_failed: [
      'O pagamento não foi confirmado.',
      'Nada foi cobrado. Tente novamente ou utilize outro cartão.',
    ],
    card_refused: [
      'Este não é um cartão de teste.',
      'Nada foi cobrado e o número não foi guardado. Utilize um dos cartões de teste abaixo.',
    ],
    too_many: ['Muitas tentativas.', 'Nada foi cobrado. Aguarde um minuto e tente novamente.'],
    form_expired: [
      'Este formulário expirou.',
      'Nada foi cobrado. Insira novamente os dados do seu cartão.',
    ],
    cross_site: [
      'Este formulário foi enviado a partir de outro site.',
      'Nada foi cobrado. Para pagar, insira aqui os dados do seu cartão.',
    ],
  },
  offline: ['Sem acesso à internet.', 'Nada foi enviado. Pague quando o acesso for restabelecido.'],
  faults: {
    number: {
      missing: 'Insira o número do cartão.',
      malformed: 'Verifique o número do cartão. Deve ter de 12 a 19 dígitos.',
    },
    expires: {
      missing: 'Insira a data de validade.',
      malformed: 'Insira o mês e o ano, por exemplo 04 / 29.',
      past: 'Este cartão expirou. Utilize outro cartão.',
    },
    csc: {
      missing: 'Insira o código de segurança.',
      malformed: 'Insira os 3 ou 4 dígitos que constam do cartão.',
    },
  },

  checkout: {
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
  },
  confirm: {
    heading: 'Confirme o pagamento',
    text: (amount, account) =>
      `O seu banco pede que confirme o pagamento de ${amount} a ${account}.`,
    confirm: 'Confirmar pagamento',
    reject: 'Recusar pagamento',
    note: 'No ambiente de testes, o Florin faz as vezes do banco. Escolha o resultado.',
  },
  manual: {
    heading: 'Como pagar',
    ask: (account) => `Fale com ${account} para saber como pagar.`,
    code_label: 'Indique este código na descrição da transferência',
    copy: 'Copiar código',
    copied: 'Copiado',
    note: (account) => `Esta página será atualizada quando ${account} receber o dinheiro.`,
  },
  transfer: {
    lead: 'Transfira exatamente este valor e indique a descrição, que identifica o pagamento.',
    recipient: 'Beneficiário',
    amount: 'Valor',
    code: 'Descrição da transferência',
    copy: 'Copiar',
    qr_label: 'Código QR com estes dados da transferência',
    scan: 'Ou leia este código com a aplicação do seu banco. A transferência fica preenchida.',
  },
  processing: {
    heading: 'O seu pagamento está em curso',
    text:
      'Este processo leva alguns segundos. A página é atualizada automaticamente. ' +
      'O valor não será cobrado duas vezes.',
  },
  paid: { heading: 'Pago', text: (account) => `${account} recebeu o seu pagamento.` },
  already_paid: {
    heading: 'Já está pago',
    text: 'Este pedido já foi pago, talvez em outra janela. O valor não foi cobrado novamente.',
  },
  refunded: {
    heading: 'Reembolsado',
    text: (account) => `${account} reembolsou integralmente o seu pagamento.`,
  },
  partly_refunded: {
    heading: 'Reembolsado parcialmente',
    text: (account, amount, paid) => `${account} reembolsou ${amount} de ${paid}.`,
  },
  receipt: {
    paid_to: 'Pago a',
    refunded_amount: 'Reembolsado',
    part: (amount, paid) => `${amount} de ${paid}`,
    download: 'Baixar recibo (PDF)',
    download_credit_note: 'Baixar nota de crédito (PDF)',
    print: 'Imprimir recibo',
  },
  failed: {
    heading: 'Este pedido de pagamento está encerrado',
    declined: (account) =>
      'O cartão foi recusado dez vezes. Nada foi cobrado. ' +
      `Solicite um novo pedido a ${account}.`,
    text: (account) =>
      `Já não pode ser pago. Nada foi cobrado. Solicite um novo pedido a ${account}.`,
    by_transfer: (account) =>
      'Já não pode ser pago. Se já enviou o dinheiro, fale com ' +
      `${account}. Caso contrário, solicite um novo pedido.`,
  },
  canceled: {
    heading: 'Este pedido de pagamento foi cancelado',
    text: (account) => `Não há nada a pagar. Em caso de dúvida, fale com ${account}.`,
  },
  expired: {
    heading: 'Este pedido de pagamento expirou',
    text: (date, account) =>
      `Expirou em ${date}. Nada foi cobrado. Solicite um novo pedido a ${account}.`,
    by_transfer: (date, account) =>
      `Expirou em ${date}. Se já enviou o dinheiro, fale com ` +
      `${account}. Caso contrário, solicite um novo pedido.`,
  },
  unavailable: {
    heading: 'O pagamento não está disponível neste momento',
    text: (account) =>
      `${account} não pode aceitar pagamentos neste momento. Nada foi cobrado. ` +
      'Tente novamente mais tarde.',
    by_transfer: (account) =>
      `${account} não pode aceitar pagamentos neste momento. Não envie dinheiro agora. ` +
      'Tente novamente mais tarde.',
  },
  not_found: {
    heading: 'Pagamento não encontrado',
    text:
      'Verifique o endereço: pode faltar uma parte. ' +
      'Também pode abrir novamente o link que recebeu.',
  },
  away: {
    heading: 'Esta página está temporariamente indisponível',
    text:
      'Tente novamente em um minuto. Se acabou de pagar, esta página confirmará o pagamento. ' +
      'O valor não será cobrado duas vezes.',
    again: 'Tentar novamente',
  },
}

// Headings use a non-breaking hyphen in "e‑mail".
const link_page: Translations['link_page'] = {
  title: (account) => `Pagar a ${account}`,
  heading: 'Os seus dados',
  email: 'O seu e-mail',
  email_hint: 'Para o seu recibo.',
  email_fault: 'Introduza um endereço de e-mail, por exemplo ann@example.com.',
  amount: 'Valor',
  amount_range: (min, max) => `De ${min} a ${max}.`,
  amount_fault: (min, max, example) =>
    `Introduza um valor de ${min} a ${max}, por exemplo ${example}.`,
  continue: 'Continuar para o pagamento',
  errors: {
    form_expired: [
      'Este formulário expirou.',
      'Nada foi cobrado. Verifique os seus dados e continue.',
    ],
    cross_site: [
      'Este formulário foi enviado de outro site.',
      'Nada foi cobrado. Para pagar, introduza os seus dados aqui.',
    ],
    too_many: ['Demasiadas tentativas.', 'Nada foi cobrado. Aguarde um minuto e tente novamente.'],
  },
  ended: {
    heading: 'Este link de pagamento já não está disponível',
    text: (account) => `Nada foi cobrado. Peça um novo link a ${account}.`,
  },
  used_up: {
    heading: 'De momento não há mais pagamentos disponíveis',
    text: (account) =>
      `Outras pessoas estão a concluir os últimos pagamentos a ${account}. ` +
      'Nada foi cobrado. Tente novamente dentro de uma hora.',
  },
}

const confirm_email_page: Translations['confirm_email_page'] = {
  email: 'E-mail',
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

export const pt: Translations = {
  name: 'Português',
  labels,
  emails,
  payment_page,
  link_page,
  confirm_email_page,
}
