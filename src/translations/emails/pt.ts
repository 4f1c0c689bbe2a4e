import type { Translations } from '../translations.ts'

export const emails: Translations['emails'] = {
  payment_request: ({ name, amount }) => ({
    subject: `Pedido de pagamento de ${name}: ${amount}`,
    title: `${name} solicita um pagamento`,
    lead: 'Verifique os dados na página de pagamento. Nada será cobrado antes da sua confirmação.',
    lead_by_transfer: 'A página de pagamento mostra os dados e como pagar.',
    button: `Pagar ${amount}`,
    note: `Não conhece ${name}? Pode ignorar este e-mail. Nenhum valor será debitado.`,
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Lembrete: pagamento de ${amount} a ${name}`,
    title: `O seu pagamento a ${name} continua pendente`,
    lead: 'O link de pagamento expira na data indicada abaixo. Ainda não foi cobrado nada.',
    lead_by_transfer:
      'O link de pagamento expira na data indicada abaixo. ' +
      'A página de pagamento mostra como pagar.',
    button: `Pagar ${amount}`,
    note: 'Já pagou? Pode ignorar este lembrete.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Recibo: ${amount} para ${name}`,
    title: `O seu pagamento a ${name}`,
    lead: 'Este é o seu recibo. Pode imprimi-lo a partir da página de pagamento.',
    button: 'Ver recibo',
    note: `Não fez este pagamento? Fale com ${name} e indique o ID da transação acima.`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `Reembolso: ${amount} de ${name}`,
    title: `O seu reembolso de ${name}`,
    lead:
      (is_full
        ? 'O seu pagamento foi reembolsado integralmente. '
        : `Uma parte do seu pagamento de ${paid} foi reembolsada. `) +
      'Dependendo do seu banco, o dinheiro pode levar alguns dias úteis para chegar.',
    button: 'Ver recibo',
    note: `Dúvidas sobre este reembolso? Fale com ${name} e indique o ID da transação acima.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Confirme o seu novo e-mail para ${name}`,
    title: 'Confirme o seu novo e-mail',
    lead:
      `Este endereço foi indicado como o novo e-mail de ${name}. ` +
      'Após a confirmação, utilize-o para iniciar sessão.',
    button: 'Confirmar e-mail',
    note: 'Não fez este pedido? Pode ignorar este e-mail. Nada será alterado.',
  }),
  email_change_requested: ({ name }) => ({
    subject: `Alteração de e-mail solicitada para ${name}`,
    title: 'Alteração de e-mail solicitada',
    lead:
      `O e-mail de ${name} será alterado assim que o novo endereço for confirmado. ` +
      'Até lá, inicie sessão com o endereço atual.',
    note: 'Não fez este pedido? Altere imediatamente a sua senha para cancelar o pedido.',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `O e-mail de ${name} foi alterado`,
    title: 'O seu e-mail foi alterado',
    lead:
      'O novo endereço foi confirmado. ' +
      `A partir de agora, utilize-o para iniciar sessão em ${name}.`,
    note: 'Não fez esta alteração? Fale imediatamente com o administrador deste serviço.',
  }),
  sign_up_verification: ({ service }) => ({
    subject: `Confirme o seu e-mail para ${service}`,
    title: 'Confirme o seu e-mail',
    lead: 'Abra o link e introduza a senha que escolheu para ativar a sua conta.',
    button: 'Confirmar e-mail',
    note: 'Não se registou? Pode ignorar este e-mail. O registo é eliminado após um dia.',
  }),
  sign_up_attempt: ({ service }) => ({
    subject: `Já tem uma conta em ${service}`,
    title: 'Já tem uma conta',
    lead:
      'Este endereço foi usado para um registo, mas já pertence a uma conta. ' +
      'Inicie sessão ou redefina a sua senha na página de início de sessão.',
    button: 'Iniciar sessão',
    note: 'Não tentou registar-se? Pode ignorar este e-mail. Nada foi alterado.',
  }),
  password_reset: ({ service }) => ({
    subject: `Redefina a sua senha para ${service}`,
    title: 'Redefina a sua senha',
    lead:
      'Abra o link para definir uma nova senha. ' +
      'Funciona uma única vez e termina todas as suas sessões.',
    button: 'Definir nova senha',
    note: 'Não fez este pedido? Pode ignorar este e-mail. A sua senha não muda.',
  }),
  password_changed: ({ service }) => ({
    subject: `A sua senha para ${service} foi alterada`,
    title: 'A sua senha foi alterada',
    lead: 'A senha foi redefinida com um link e todas as sessões foram terminadas.',
    note: 'Não fez esta alteração? Fale imediatamente com o administrador deste serviço.',
  }),
  invitation: ({ name }) => ({
    subject: `${name} convida-o para a sua equipa`,
    title: `Junte-se a ${name}`,
    lead: `Recebeu um convite de ${name}. Abra o link para escolher uma senha.`,
    button: 'Aceitar convite',
    note: `Não conhece ${name}? Pode ignorar este e-mail.`,
  }),
  dispute_opened: ({ name, amount }) => ({
    subject: `Pagamento contestado: ${amount} para ${name}`,
    title: 'Um pagamento foi contestado',
    lead:
      'O titular do cartão contestou este pagamento junto do banco. ' +
      'O valor foi retirado do seu saldo até o banco decidir.',
    note:
      'Se não concordar, envie provas ao seu prestador de pagamentos dentro do prazo. ' +
      'Um pagamento contestado não pode ser reembolsado.',
  }),
  dispute_won: ({ name, amount }) => ({
    subject: `Contestação ganha: ${amount} para ${name}`,
    title: 'Ganhou a contestação',
    lead: 'O banco decidiu a seu favor. O valor voltou para o seu saldo.',
    note: 'Não precisa de fazer mais nada.',
  }),
  dispute_lost: ({ name, amount }) => ({
    subject: `Contestação perdida: ${amount} para ${name}`,
    title: 'Perdeu a contestação',
    lead: 'O banco decidiu a favor do titular do cartão, que fica com o valor.',
    note: 'Não precisa de fazer mais nada. O valor foi retirado no início da contestação.',
  }),
  payment_received: ({ name, amount, count }) => ({
    subject: count === 1 ? `Você recebeu ${amount}` : `${count} pagamentos: ${amount} para ${name}`,
    title: count === 1 ? 'Você recebeu um pagamento' : `Você recebeu ${count} pagamentos`,
    lead:
      count === 1
        ? 'O pagamento foi adicionado ao seu saldo.'
        : 'Estes pagamentos chegaram em uma hora e foram adicionados ao seu saldo.',
    button: 'Ver transações',
    note: 'O cliente já recebeu um recibo.',
  }),
  payment_failed: ({ name, amount, count }) => ({
    subject:
      count === 1 ? `Falha no pagamento: ${amount}` : `${count} pagamentos falharam para ${name}`,
    title: count === 1 ? 'Um pagamento falhou' : `${count} pagamentos falharam`,
    lead: 'Nenhum dinheiro foi recebido.',
    button: 'Ver pedidos de pagamento',
    note: 'Para receber, envie ao cliente um novo pedido de pagamento.',
  }),
  new_login: () => ({
    subject: 'Novo login na sua conta',
    title: 'Novo login',
    lead: 'Alguém entrou a partir de um endereço ou dispositivo que você ainda não tinha usado.',
    note: 'Não foi você? Altere sua senha agora. Isso encerra todas as outras sessões.',
  }),
  weekly_summary: ({ name, week }) => ({
    subject: `Sua semana em ${name}`,
    title: 'Sua semana',
    lead: `Isto foi o que aconteceu: ${week}.`,
    button: 'Abrir o painel',
    note: 'Os valores contam no dia em que o pagamento foi criado.',
  }),
  settings: 'Alterar suas notificações',
  webhook_gone: ({ name }) => ({
    subject: `Endpoint de webhook desativado para ${name}`,
    title: 'O seu endpoint de webhook foi desativado',
    lead: 'Respondeu com o código HTTP 410 (Gone), por isso o envio de eventos foi interrompido.',
    note:
      'Para voltar a receber eventos, reative o endpoint. ' +
      'Pode reenviar os eventos dos últimos 90 dias.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Endpoint de webhook desativado para ${name}: as entregas falham`,
    title: 'O seu endpoint de webhook foi desativado',
    lead: 'Todas as entregas falharam durante vários dias. O envio de eventos foi interrompido.',
    note:
      'Corrija o problema no endpoint e reative-o. ' +
      'Pode reenviar os eventos dos últimos 90 dias.',
  }),
  payout_destination_changed: ({ name }) => ({
    subject: `Conta de repasse alterada para ${name}`,
    title: 'Sua conta de repasse foi alterada',
    lead:
      'Os novos repasses serão enviados para a conta bancária abaixo. ' +
      'O próximo repasse precisa ser aprovado antes.',
    note:
      'Você não fez essa alteração? ' +
      'Entre em contato imediatamente com o operador deste serviço.',
  }),
  how_to_pay: 'Ver como pagar',
  link: 'Abra este link:',
  without_button: 'O botão não funciona? Abra este link:',
  foot: (name) => `Enviado em nome de ${name}. Pagamentos com Florin.`,
  service_foot: (name) => `Enviado por ${name}.`,
}
