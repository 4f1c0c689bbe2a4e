import type { PaymentTranslations } from './payment-translations-shape.ts'

// Written for readers in both Brazil and Portugal: no "você", no gerunds, and no words that only
// one of the two uses.
export const pt: PaymentTranslations = {
  sandbox_band: 'Ambiente de testes: sem dinheiro real',
  payments_by: 'Pagamentos com Florin',
  language: 'Idioma',
  error: 'Erro',
  title: (amount, account) => `Pagar ${amount} a ${account}`,

  payment_requested: 'Pedido de pagamento',
  amount_paid: 'Valor pago',
  reference: 'Referência',
  customer: 'Para',
  pay_by: 'Pagar até',

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
  outcomes: { paid: 'Aprovado', declined: 'Recusado', insufficient_funds: 'Sem saldo' },

  errors: {
    declined: ['O cartão foi recusado.', 'Nada foi cobrado. Tente outro cartão.'],
    insufficient_funds: [
      'O cartão não tem saldo suficiente.',
      'Nada foi cobrado. Tente outro cartão.',
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

  manual: {
    heading: 'Como pagar',
    ask: (account) => `Fale com ${account} para saber como pagar.`,
    code_label: 'Indique este código na descrição da transferência',
    copy: 'Copiar código',
    copied: 'Copiado',
    note: (account) => `Esta página será atualizada quando ${account} receber o dinheiro.`,
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
    paid_at: 'Pago em',
    refunded_amount: 'Reembolsado',
    part: (amount, paid) => `${amount} de ${paid}`,
    refunded_at: 'Reembolsado em',
    number: 'Número do recibo',
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
    heading: 'Pedido de pagamento não encontrado',
    text:
      'Verifique o endereço: pode faltar uma parte. ' +
      'Também pode abrir novamente o link que recebeu por e-mail.',
  },
  away: {
    heading: 'Esta página está temporariamente indisponível',
    text:
      'Tente novamente em um minuto. Se acabou de pagar, esta página confirmará o pagamento. ' +
      'O valor não será cobrado duas vezes.',
    again: 'Tentar novamente',
  },
}
