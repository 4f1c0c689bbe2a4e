import type { PaymentTranslations } from './payment-translations-shape.ts'

// Worded so that it reads as one's own in Brazil and in Portugal: no gerunds for what is under way,
// and no word that only one of them uses.
export const pt: PaymentTranslations = {
  sandbox_band: 'Modo de teste: sem dinheiro real',
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
  trust: (account) => `O pagamento vai para ${account}, que nunca vê o número do seu cartão.`,

  test_cards: 'Cartões de teste',
  test_cards_hint: 'Basta um toque. Só estes cartões funcionam aqui.',
  outcomes: { paid: 'Paga', declined: 'Recusado', insufficient_funds: 'Sem saldo' },

  errors: {
    declined: ['O cartão foi recusado.', 'Nada foi cobrado. Tente outro cartão.'],
    insufficient_funds: [
      'O cartão não tem saldo suficiente.',
      'Nada foi cobrado. Tente outro cartão.',
    ],
    card_refused: [
      'Este não é um cartão de teste.',
      'Nada foi cobrado e o número não foi guardado. Use um dos cartões de teste abaixo.',
    ],
    too_many: ['Muitas tentativas.', 'Nada foi cobrado. Espere um minuto e tente de novo.'],
    form_expired: [
      'O formulário ficou aberto por muito tempo.',
      'Nada foi cobrado. Insira o cartão de novo.',
    ],
    cross_site: [
      'Outro site enviou este formulário.',
      'Nada foi cobrado. Para pagar, insira o cartão aqui.',
    ],
  },
  offline: ['Sem acesso à internet.', 'Nada foi enviado. Pague quando o acesso voltar.'],
  faults: {
    number: {
      missing: 'Insira o número do cartão.',
      malformed: 'Verifique o número do cartão. Ele tem de 12 a 19 dígitos.',
    },
    expires: {
      missing: 'Insira o mês e o ano.',
      malformed: 'Insira o mês e o ano, por exemplo 04 / 29.',
      past: 'Este cartão já não é válido. Use outro.',
    },
    csc: {
      missing: 'Insira o código de segurança.',
      malformed: 'Insira os 3 ou 4 dígitos que estão no cartão.',
    },
  },

  manual: {
    heading: 'Como pagar',
    ask: (account) => `Fale com ${account} para saber como pagar.`,
    code_label: 'Indique este código na descrição da transferência',
    copy: 'Copiar código',
    copied: 'Copiado',
    note: (account) => `Esta página avisa quando ${account} tiver recebido o dinheiro.`,
  },
  processing: {
    heading: 'O pagamento está em curso',
    text: 'Isto leva alguns segundos. A página avança sozinha. ' + 'Não haverá cobrança em dobro.',
  },
  paid: { heading: 'Pago', text: (account) => `${account} recebeu o seu pagamento.` },
  already_paid: {
    heading: 'Já está pago',
    text:
      'Este pedido já tinha sido pago, talvez em outra janela. ' +
      'Ninguém foi cobrado duas vezes.',
  },
  refunded: {
    heading: 'Pagamento reembolsado',
    text: (account) => `${account} reembolsou o seu pagamento integralmente.`,
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
    heading: 'Este pedido está encerrado',
    declined: (account) =>
      'O cartão foi recusado dez vezes. Nada foi cobrado. ' +
      `Fale com ${account} para receber um novo.`,
    text: (account) =>
      `Já não pode ser pago. Nada foi cobrado. Fale com ${account} para receber um novo.`,
    by_transfer: (account) =>
      'Já não pode ser pago. Se já enviou o dinheiro, ' +
      `fale com ${account}. Se não, peça um novo.`,
  },
  canceled: {
    heading: 'Este pedido foi cancelado',
    text: (account) => `Não há nada a pagar aqui. Em caso de dúvida, fale com ${account}.`,
  },
  expired: {
    heading: 'Este pedido expirou',
    text: (date, account) =>
      `Podia ser pago até ${date}. Nada foi cobrado. ` +
      `Fale com ${account} para receber um novo.`,
    by_transfer: (date, account) =>
      `Podia ser pago até ${date}. Se já enviou o dinheiro, ` +
      `fale com ${account}. Se não, peça um novo.`,
  },
  unavailable: {
    heading: 'Não é possível pagar agora',
    text: (account) =>
      `${account} não recebe pagamentos neste momento. Nada foi cobrado. ` +
      'Tente de novo mais tarde.',
    by_transfer: (account) =>
      `${account} não recebe pagamentos neste momento. Não envie dinheiro agora. ` +
      'Tente de novo mais tarde.',
  },
  not_found: {
    heading: 'Não há nenhum pagamento aqui',
    text:
      'Verifique o endereço: pode faltar uma parte. ' +
      'Ou abra de novo o link que recebeu por e-mail.',
  },
  away: {
    heading: 'A página está indisponível neste momento',
    text:
      'Tente de novo em um minuto. Se acabou de pagar, a página vai dizer: ' +
      'ninguém é cobrado duas vezes.',
    again: 'Tentar de novo',
  },
}
