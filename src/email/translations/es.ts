import type { EmailTranslations } from './email-translations.ts'

export const es: EmailTranslations = {
  payment_request: ({ name, amount }) => ({
    subject: `${name} le pide un pago de ${amount}`,
    title: `${name} le pide un pago`,
    lead:
      'La página de pago muestra cuánto paga y a quién. ' +
      'No se cobra nada antes de que usted confirme.',
    lead_by_transfer: 'La página de pago muestra cuánto paga, a quién y cómo.',
    button: `Pagar ${amount}`,
    note: `¿No conoce a ${name}? Entonces no pague. No tiene que hacer nada más.`,
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Recordatorio: ${amount} para ${name}`,
    title: `Su pago a ${name} sigue pendiente`,
    lead: 'El enlace deja de funcionar en la fecha indicada. Hasta ahora no se ha cobrado nada.',
    lead_by_transfer:
      'El enlace deja de funcionar en la fecha indicada. ' +
      'La página de pago muestra cómo pagar.',
    button: `Pagar ${amount}`,
    note: '¿Acaba de pagar? Este mensaje se ha cruzado con su pago: todo está en orden.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Recibo: ${amount} para ${name}`,
    title: `Ha pagado a ${name}`,
    lead: 'Este es su recibo. También puede imprimirlo desde la página de pago.',
    button: 'Ver el recibo',
    note: `¿No ha hecho usted este pago? Avise a ${name} e indique la transacción.`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `Reembolso: ${amount} de ${name}`,
    title: `Reembolso de ${name}`,
    lead:
      (is_full
        ? 'Su pago se ha reembolsado por completo. '
        : `Se ha reembolsado una parte de su pago de ${paid}. `) +
      'Según su banco, el dinero puede tardar unos días hábiles en llegar.',
    button: 'Ver el recibo',
    note: `¿Tiene preguntas sobre este reembolso? Contacte con ${name} e indique la transacción.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Confirme esta dirección para ${name}`,
    title: 'Confirme su nuevo correo',
    lead:
      `Alguien quiere usar esta dirección como correo de ${name}. ` +
      'Cuando la confirme, el titular de la cuenta iniciará sesión con ella.',
    button: 'Confirmar el correo',
    note: '¿No lo ha pedido usted? No haga nada. Sin usted, nada cambia.',
  }),
  email_change_requested: ({ name }) => ({
    subject: `Se ha pedido cambiar el correo de ${name}`,
    title: 'Alguien quiere cambiar su correo',
    lead:
      `El correo de ${name} cambiará en cuanto se confirme la nueva dirección. ` +
      'Hasta entonces, inicie sesión con esta.',
    note: '¿No lo ha pedido usted? Cambie ahora su contraseña. Así termina la solicitud.',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `El correo de ${name} ha cambiado`,
    title: 'Su correo ha cambiado',
    lead: `La nueva dirección está confirmada. Desde ahora se usa para iniciar sesión en ${name}.`,
    note: '¿No lo quería usted? Avise de inmediato a quien gestiona este servicio.',
  }),
  webhook_gone: ({ name }) => ({
    subject: `Se han detenido los webhooks de ${name}`,
    title: 'Su endpoint de webhooks ya no existe',
    lead: 'El receptor respondió 410: significa que no se le debe enviar nada más.',
    note:
      '¿Lo quiere de vuelta? Active de nuevo el endpoint. Los eventos de los últimos 90 ' +
      'días se pueden reenviar.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Se han detenido los webhooks de ${name}: días sin respuesta`,
    title: 'Su endpoint de webhooks no responde',
    lead: 'Desde hace días no acepta nada de lo enviado, así que no se envía nada más.',
    note:
      'Repare el receptor y active de nuevo el endpoint. Los eventos de los últimos 90 ' +
      'días se pueden reenviar.',
  }),
  labels: {
    to: 'Para',
    reference: 'Referencia',
    pay_by: 'Fecha límite',
    until: 'Válido hasta',
    paid_at: 'Pagado el',
    transaction: 'Transacción',
    from: 'De',
    paid: 'Pago original',
    refunded_at: 'Reembolsado el',
    account: 'Cuenta',
    new_email: 'Nuevo correo',
    endpoint: 'Endpoint',
    endpoint_id: 'Identificador',
  },
  how_to_pay: 'Ver cómo pagar',
  link: 'Abra esta dirección:',
  without_button: '¿El botón no funciona? Abra esta dirección:',
  sandbox: 'Entorno de pruebas: no se mueve dinero real',
  foot: (name) => `Enviado en nombre de ${name}. Pagos con Florin.`,
}
