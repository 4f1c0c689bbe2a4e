import type { PaymentTranslations } from './payment-translations-shape.ts'

export const es: PaymentTranslations = {
  sandbox_band: 'Entorno de pruebas: no se mueve dinero real',
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
  expires: 'Caducidad',
  expires_hint: 'MM / AA',
  security_code: 'Código de seguridad',
  security_code_hint: '3 o 4 dígitos',
  pay: (amount) => `Pagar ${amount}`,
  paying: 'Procesando…',
  trust: (account) =>
    `Su pago se envía a ${account}, que en ningún momento ve su número de tarjeta.`,

  test_cards: 'Tarjetas de prueba',
  test_cards_hint: 'Toque una tarjeta para usarla. El entorno de pruebas no acepta otras tarjetas.',
  outcomes: { paid: 'Pago correcto', declined: 'Rechazada', insufficient_funds: 'Sin fondos' },

  errors: {
    declined: [
      'La tarjeta ha sido rechazada.',
      'No se le ha cobrado nada. Pruebe con otra tarjeta.',
    ],
    insufficient_funds: [
      'La tarjeta no tiene fondos suficientes.',
      'No se le ha cobrado nada. Pruebe con otra tarjeta.',
    ],
    card_refused: [
      'Esta no es una tarjeta de prueba.',
      'No se le ha cobrado nada y el número no se ha guardado. ' +
        'Use una de las tarjetas de prueba que aparecen más abajo.',
    ],
    too_many: [
      'Demasiados intentos.',
      'No se le ha cobrado nada. Espere un minuto y vuelva a intentarlo.',
    ],
    form_expired: [
      'Este formulario ha caducado.',
      'No se le ha cobrado nada. Vuelva a introducir los datos de su tarjeta.',
    ],
    cross_site: [
      'Este formulario se envió desde otro sitio web.',
      'No se le ha cobrado nada. Para pagar, introduzca aquí los datos de su tarjeta.',
    ],
  },
  offline: [
    'No tiene conexión.',
    'No se ha enviado nada. Realice el pago cuando recupere la conexión.',
  ],
  faults: {
    number: {
      missing: 'Introduzca el número de la tarjeta.',
      malformed: 'Revise el número de la tarjeta. Tiene entre 12 y 19 dígitos.',
    },
    expires: {
      missing: 'Introduzca la fecha de caducidad.',
      malformed: 'Introduzca el mes y el año, por ejemplo 04 / 29.',
      past: 'Esta tarjeta ha caducado. Use otra tarjeta.',
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
    note: (account) => `Esta página se actualizará cuando ${account} haya recibido el dinero.`,
  },
  processing: {
    heading: 'Estamos procesando su pago',
    text:
      'Tarda unos segundos. La página se actualiza automáticamente. ' +
      'No se le cobrará dos veces.',
  },
  paid: { heading: 'Pagado', text: (account) => `${account} ha recibido su pago.` },
  already_paid: {
    heading: 'Ya está pagada',
    text: 'Esta solicitud ya se ha pagado, quizá en otra pestaña. No se le ha vuelto a cobrar.',
  },
  refunded: {
    heading: 'Reembolsado',
    text: (account) => `${account} ha reembolsado su pago íntegramente.`,
  },
  partly_refunded: {
    heading: 'Reembolsado parcialmente',
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
    heading: 'Esta solicitud de pago está cerrada',
    declined: (account) =>
      'La tarjeta se ha rechazado diez veces. No se le ha cobrado nada. ' +
      `Pida una nueva solicitud a ${account}.`,
    text: (account) =>
      `Ya no se puede pagar. No se le ha cobrado nada. Pida una nueva solicitud a ${account}.`,
    by_transfer: (account) =>
      'Ya no se puede pagar. Si ya ha enviado el dinero, póngase en contacto con ' +
      `${account}. De lo contrario, pida una nueva solicitud.`,
  },
  canceled: {
    heading: 'Esta solicitud de pago se ha cancelado',
    text: (account) =>
      `No tiene que pagar nada. Si tiene preguntas, póngase en contacto con ${account}.`,
  },
  expired: {
    heading: 'Esta solicitud de pago ha caducado',
    text: (date, account) =>
      `Caducó el ${date}. No se le ha cobrado nada. Pida una nueva solicitud a ${account}.`,
    by_transfer: (date, account) =>
      `Caducó el ${date}. Si ya ha enviado el dinero, póngase en contacto con ` +
      `${account}. De lo contrario, pida una nueva solicitud.`,
  },
  unavailable: {
    heading: 'El pago no está disponible en este momento',
    text: (account) =>
      `${account} no puede aceptar pagos en este momento. No se le ha cobrado nada. ` +
      'Inténtelo más tarde.',
    by_transfer: (account) =>
      `${account} no puede aceptar pagos en este momento. No envíe dinero ahora. ` +
      'Inténtelo más tarde.',
  },
  not_found: {
    heading: 'Solicitud de pago no encontrada',
    text:
      'Revise la dirección: es posible que falte una parte. ' +
      'También puede volver a abrir el enlace del correo.',
  },
  away: {
    heading: 'Esta página no está disponible temporalmente',
    text:
      'Vuelva a intentarlo en un minuto. Si acaba de pagar, esta página se lo confirmará. ' +
      'No se le cobrará dos veces.',
    again: 'Volver a intentarlo',
  },
}
