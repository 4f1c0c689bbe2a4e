import type { PaymentTranslations } from './payment-translations-shape.ts'

export const es: PaymentTranslations = {
  sandbox_band: 'Modo de prueba: no se mueve dinero real',
  payments_by: 'Pagos con Florin',
  language: 'Idioma',
  error: 'Error',
  title: (amount, account) => `Pagar ${amount} a ${account}`,

  payment_requested: 'Solicitud de pago',
  amount_paid: 'Importe pagado',
  reference: 'Referencia',
  customer: 'Para',
  pay_by: 'Fecha límite',

  pay_by_card: 'Pagar con tarjeta',
  card_number: 'Número de tarjeta',
  expires: 'Caduca',
  expires_hint: 'MM / AA',
  security_code: 'Código de seguridad',
  security_code_hint: '3 o 4 dígitos',
  pay: (amount) => `Pagar ${amount}`,
  paying: 'Pagando…',
  trust: (account) => `El pago va a ${account}, que nunca ve el número de su tarjeta.`,

  test_cards: 'Tarjetas de prueba',
  test_cards_hint: 'Basta un toque. Aquí no se acepta ninguna otra tarjeta.',
  outcomes: { paid: 'Paga', declined: 'Rechazada', insufficient_funds: 'Sin fondos' },

  errors: {
    declined: ['La tarjeta ha sido rechazada.', 'No se ha cobrado nada. Pruebe con otra tarjeta.'],
    insufficient_funds: [
      'La tarjeta no tiene fondos suficientes.',
      'No se ha cobrado nada. Pruebe con otra tarjeta.',
    ],
    card_refused: [
      'Esta no es una tarjeta de prueba.',
      'No se ha cobrado nada ni se ha guardado el número. ' +
        'Use una de las tarjetas de prueba de abajo.',
    ],
    too_many: [
      'Demasiados intentos.',
      'No se ha cobrado nada. Espere un minuto y vuelva a intentarlo.',
    ],
    form_expired: [
      'El formulario ha estado abierto demasiado tiempo.',
      'No se ha cobrado nada. Introduzca la tarjeta de nuevo.',
    ],
    cross_site: [
      'Otro sitio web envió este formulario.',
      'No se ha cobrado nada. Para pagar, introduzca la tarjeta aquí.',
    ],
  },
  offline: ['No hay conexión.', 'No se ha enviado nada. Pague cuando vuelva la conexión.'],
  faults: {
    number: {
      missing: 'Introduzca el número de la tarjeta.',
      malformed: 'Revise el número de la tarjeta. Tiene entre 12 y 19 dígitos.',
    },
    expires: {
      missing: 'Introduzca el mes y el año.',
      malformed: 'Introduzca el mes y el año, por ejemplo 04 / 29.',
      past: 'Esta tarjeta ha caducado. Use otra.',
    },
    csc: {
      missing: 'Introduzca el código de seguridad.',
      malformed: 'Introduzca los 3 o 4 dígitos que figuran en la tarjeta.',
    },
  },

  manual: {
    heading: 'Cómo pagar',
    ask: (account) => `Pregunte a ${account} cómo pagar.`,
    code_label: 'Indique este código en el concepto de la transferencia',
    copy: 'Copiar código',
    copied: 'Copiado',
    note: (account) => `Esta página lo indicará cuando ${account} haya recibido el dinero.`,
  },
  processing: {
    heading: 'El pago está en curso',
    text: 'Tarda unos segundos. La página avanza sola. ' + 'No se le cobrará dos veces.',
  },
  paid: { heading: 'Pagado', text: (account) => `${account} ha recibido su pago.` },
  already_paid: {
    heading: 'Ya está pagado',
    text:
      'Esta solicitud ya se había pagado, quizá en otra pestaña. ' +
      'No se ha cobrado dos veces a nadie.',
  },
  refunded: {
    heading: 'Reembolsado',
    text: (account) => `${account} ha reembolsado su pago por completo.`,
  },
  partly_refunded: {
    heading: 'Reembolsado en parte',
    text: (account, amount, paid) => `${account} ha reembolsado ${amount} de ${paid}.`,
  },
  receipt: {
    paid_to: 'Pagado a',
    paid_at: 'Pagado el',
    refunded_amount: 'Reembolsado',
    part: (amount, paid) => `${amount} de ${paid}`,
    refunded_at: 'Reembolsado el',
    number: 'Número de recibo',
    print: 'Imprimir recibo',
  },
  failed: {
    heading: 'Esta solicitud está cerrada',
    declined: (account) =>
      'La tarjeta se ha rechazado diez veces. No se ha cobrado nada. ' +
      `Pida a ${account} una nueva solicitud.`,
    text: (account) =>
      `Ya no se puede pagar. No se ha cobrado nada. Pida a ${account} una nueva solicitud.`,
    by_transfer: (account) =>
      'Ya no se puede pagar. Si ya ha enviado el dinero, ' +
      `consulte a ${account}. Si no, pida una nueva solicitud.`,
  },
  canceled: {
    heading: 'Esta solicitud se ha cancelado',
    text: (account) => `Aquí no hay nada que pagar. En caso de duda, consulte a ${account}.`,
  },
  expired: {
    heading: 'Esta solicitud ha caducado',
    text: (date, account) =>
      `Se podía pagar hasta el ${date}. No se ha cobrado nada. ` +
      `Pida a ${account} una nueva solicitud.`,
    by_transfer: (date, account) =>
      `Se podía pagar hasta el ${date}. Si ya ha enviado el dinero, ` +
      `consulte a ${account}. Si no, pida una nueva solicitud.`,
  },
  unavailable: {
    heading: 'Ahora no es posible pagar',
    text: (account) =>
      `${account} no acepta pagos en este momento. No se ha cobrado nada. ` +
      'Inténtelo más tarde.',
    by_transfer: (account) =>
      `${account} no acepta pagos en este momento. No envíe dinero ahora. ` +
      'Inténtelo más tarde.',
  },
  not_found: {
    heading: 'Aquí no hay ningún pago',
    text:
      'Revise la dirección: puede que falte una parte. ' + 'O abra de nuevo el enlace del correo.',
  },
  away: {
    heading: 'La página no está disponible en este momento',
    text:
      'Vuelva a intentarlo en un minuto. Si acaba de pagar, la página se lo dirá: ' +
      'no se cobra dos veces a nadie.',
    again: 'Volver a intentarlo',
  },
}
