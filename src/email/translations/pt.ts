import type { EmailTranslations } from './email-translations.ts'

export const pt: EmailTranslations = {
  payment_request: ({ name, amount }) => ({
    subject: `${name} solicita um pagamento de ${amount}`,
    title: `${name} solicita um pagamento`,
    lead:
      'A página de pagamento mostra quanto você paga e a quem. ' +
      'Nada é cobrado antes da sua confirmação.',
    lead_by_transfer: 'A página de pagamento mostra quanto você paga, a quem e como.',
    button: `Pagar ${amount}`,
    note: `Não conhece ${name}? Então não pague. Não precisa fazer mais nada.`,
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Lembrete: ${amount} para ${name}`,
    title: `Seu pagamento a ${name} ainda está em aberto`,
    lead: 'O link deixa de funcionar na data abaixo. Até agora nada foi cobrado.',
    lead_by_transfer:
      'O link deixa de funcionar na data abaixo. ' + 'A página de pagamento mostra como pagar.',
    button: `Pagar ${amount}`,
    note: 'Acabou de pagar? Esta mensagem cruzou com o seu pagamento: está tudo certo.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Recibo: ${amount} para ${name}`,
    title: `Você pagou a ${name}`,
    lead: 'Este é o seu recibo. Também é possível imprimi-lo na página de pagamento.',
    button: 'Ver o recibo',
    note: `Não fez este pagamento? Avise ${name} e informe a transação.`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `Reembolso: ${amount} de ${name}`,
    title: `Reembolso de ${name}`,
    lead:
      (is_full
        ? 'Seu pagamento foi reembolsado integralmente. '
        : `Uma parte do seu pagamento de ${paid} foi reembolsada. `) +
      'Dependendo do seu banco, o dinheiro pode levar alguns dias úteis para chegar.',
    button: 'Ver o recibo',
    note: `Dúvidas sobre este reembolso? Fale com ${name} e informe a transação.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Confirme este endereço para ${name}`,
    title: 'Confirme seu novo e-mail',
    lead:
      `Alguém quer usar este endereço como e-mail de ${name}. ` +
      'Depois da confirmação, o titular da conta entra com ele.',
    button: 'Confirmar e-mail',
    note: 'Não fez este pedido? Não faça nada. Sem você, nada muda.',
  }),
  email_change_requested: ({ name }) => ({
    subject: `Foi pedida a troca do e-mail de ${name}`,
    title: 'Alguém quer trocar seu e-mail',
    lead:
      `O e-mail de ${name} muda assim que o novo endereço for confirmado. ` +
      'Até lá, entre com este.',
    note: 'Não fez este pedido? Troque sua senha agora. Isso encerra o pedido.',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `O e-mail de ${name} mudou`,
    title: 'Seu e-mail mudou',
    lead: `O novo endereço foi confirmado. O titular de ${name} agora entra com ele.`,
    note: 'Não queria isso? Avise imediatamente quem administra este serviço.',
  }),
  webhook_gone: ({ name }) => ({
    subject: `Os webhooks de ${name} foram interrompidos`,
    title: 'Seu endpoint de webhooks não existe mais',
    lead: 'O receptor respondeu 410: isso significa que nada mais deve ser enviado a ele.',
    note:
      'Quer de volta? Ative o endpoint novamente. Eventos dos últimos 90 dias podem ser ' +
      'reenviados.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Os webhooks de ${name} foram interrompidos: dias sem resposta`,
    title: 'Seu endpoint de webhooks não responde',
    lead: 'Há dias nada do que é enviado é aceito, por isso nada mais é enviado.',
    note:
      'Conserte o receptor e ative o endpoint novamente. Eventos dos últimos 90 dias podem ' +
      'ser reenviados.',
  }),
  labels: {
    to: 'Para',
    reference: 'Referência',
    pay_by: 'Pagar até',
    until: 'Válido até',
    paid_at: 'Pago em',
    transaction: 'Transação',
    from: 'De',
    paid: 'Pagamento original',
    refunded_at: 'Reembolsado em',
    account: 'Conta',
    new_email: 'Novo e-mail',
    endpoint: 'Endpoint',
    endpoint_id: 'Identificador',
  },
  how_to_pay: 'Ver como pagar',
  link: 'Abra este endereço:',
  without_button: 'O botão não funciona? Abra este endereço:',
  sandbox: 'Ambiente de testes: nenhum dinheiro real é movimentado',
  foot: (name) => `Enviado em nome de ${name}. Pagamentos por Florin.`,
}
