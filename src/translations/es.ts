import { emails } from './emails/es.ts'
import type { Translations } from './translations.ts'

const labels: Translations['labels'] = {
  sandbox: 'Entorno de pruebas: no se mueve dinero real',
  to: 'Destinatario',
  reference: 'Referencia',
  pay_by: 'Fecha límite',
  until: 'Caducidad del enlace',
  paid_at: 'Pagado el',
  transaction: 'ID de transacción',
  from: 'De',
  paid: 'Pago original',
  refunded_at: 'Reembolsado el',
  account: 'Cuenta',
  new_email: 'Nueva dirección',
  changed_at: 'Fecha del cambio',
  holder: 'Titular de la cuenta',
  endpoint: 'Endpoint',
  endpoint_id: 'ID del endpoint',
  respond_by: 'Responder antes del',
  payments: 'Pagos',
  volume: 'Recibido',
  refunds: 'Reembolsos',
  fees: 'Comisiones',
  failed: 'Fallidos',
  open: 'Solicitudes abiertas',
  logged_in_at: 'Inicio de sesión',
  address: 'Dirección IP',
  client: 'Dispositivo',
  dispute: 'ID de la disputa',
  message: 'Mensaje',
}

const payment_page: Translations['payment_page'] = {
  payments_by: 'Pagos con Florin',
  language: 'Idioma',
  error: 'Error',
  title: (amount, account) => `Pagar ${amount} a ${account}`,

  payment_requested: 'Solicitud de pago',
  amount_paid: 'Importe pagado',
  customer: 'Para',
  contact: '¿Preguntas sobre este pago?',
  terms: 'Términos y condiciones',
  statement_name: 'En su extracto',
  back: (account) => `Volver a ${account}`,

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
  outcomes: {
    paid: 'Pago correcto',
    needs_confirmation: '3-D Secure',
    disputed: 'Pagada y disputada',
    declined: 'Rechazada',
    insufficient_funds: 'Sin fondos',
    processing_error: 'Error de procesamiento',
  },

  errors: {
    declined: [
      'La tarjeta ha sido rechazada.',
      'No se le ha cobrado nada. Pruebe con otra tarjeta.',
    ],
    insufficient_funds: [
      'La tarjeta no tiene fondos suficientes.',
      'No se le ha cobrado nada. Pruebe con otra tarjeta.',
    ],
    processing_error: [
      'No se ha podido procesar la tarjeta.',
      'No se le ha cobrado nada. Vuelva a intentarlo dentro de un minuto o use otra tarjeta.',
    ],
    authentication_failed: [
      'El pago no se ha confirmado.',
      'No se le ha cobrado nada. Vuelva a intentarlo o use otra tarjeta.',
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

  checkout: {
    heading: 'Pague en línea de forma segura',
    pay_with: {
      stripe: 'Pagar con tarjeta (Stripe)',
      mollie: 'Pagar con banco, tarjeta o monedero digital (Mollie)',
    },
    opening: 'Abriendo…',
    trust: (account) =>
      'El pago se realiza en la página segura de nuestro proveedor de pagos. ' +
      `${account} en ningún momento ve su número de tarjeta.`,
    or_transfer: 'O pague por transferencia bancaria',
    errors: {
      unavailable: [
        'No se ha podido abrir la página del proveedor de pagos.',
        'No se le ha cobrado nada. Vuelva a intentarlo en un minuto.',
      ],
      rejected: [
        'El proveedor de pagos no ha aceptado este pago.',
        'No se le ha cobrado nada. Pruebe otra forma de pago o póngase en contacto con el ' +
          'destinatario.',
      ],
      form_expired: [
        'Este formulario ha caducado.',
        'No se le ha cobrado nada. Vuelva a elegir la forma de pago.',
      ],
      cross_site: [
        'Este formulario se envió desde otro sitio web.',
        'No se le ha cobrado nada. Para pagar, utilice el botón de abajo.',
      ],
    },
  },
  confirm: {
    heading: 'Confirme el pago',
    text: (amount, account) => `Su banco le pide que confirme el pago de ${amount} a ${account}.`,
    confirm: 'Confirmar el pago',
    reject: 'Rechazar el pago',
    note: 'En el entorno de pruebas, Florin hace las veces del banco. Elija el resultado.',
  },
  manual: {
    heading: 'Cómo pagar',
    ask: (account) => `Pregunte a ${account} cómo pagar.`,
    code_label: 'Indique este código en el concepto de la transferencia',
    copy: 'Copiar código',
    copied: 'Copiado',
    note: (account) => `Esta página se actualizará cuando ${account} haya recibido el dinero.`,
  },
  transfer: {
    lead: 'Transfiera exactamente este importe e indique el concepto. Así se asigna su pago.',
    recipient: 'Beneficiario',
    amount: 'Importe',
    code: 'Concepto',
    copy: 'Copiar',
    qr_label: 'Código QR con estos datos de la transferencia',
    scan: 'O escanee este código con la aplicación de su banco. Rellena la transferencia.',
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
    refunded_amount: 'Reembolsado',
    part: (amount, paid) => `${amount} de ${paid}`,
    download: 'Descargar recibo (PDF)',
    download_credit_note: 'Descargar nota de crédito (PDF)',
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
    heading: 'Pago no encontrado',
    text:
      'Revise la dirección: es posible que falte una parte. ' +
      'También puede volver a abrir el enlace que recibió.',
  },
  away: {
    heading: 'Esta página no está disponible temporalmente',
    text:
      'Vuelva a intentarlo en un minuto. Si acaba de pagar, esta página se lo confirmará. ' +
      'No se le cobrará dos veces.',
    again: 'Volver a intentarlo',
  },
}

const link_page: Translations['link_page'] = {
  title: (account) => `Pagar a ${account}`,
  heading: 'Sus datos',
  email: 'Su correo electrónico',
  email_hint: 'Para su recibo.',
  email_fault: 'Introduzca una dirección de correo, por ejemplo ann@example.com.',
  amount: 'Importe',
  amount_range: (min, max) => `De ${min} a ${max}.`,
  amount_fault: (min, max, example) =>
    `Introduzca un importe de ${min} a ${max}, por ejemplo ${example}.`,
  continue: 'Continuar al pago',
  errors: {
    form_expired: [
      'Este formulario ha caducado.',
      'No se le ha cobrado nada. Revise sus datos y continúe.',
    ],
    cross_site: [
      'Este formulario se envió desde otro sitio.',
      'No se le ha cobrado nada. Para pagar, introduzca sus datos aquí.',
    ],
    too_many: [
      'Demasiados intentos.',
      'No se le ha cobrado nada. Espere un minuto y vuelva a intentarlo.',
    ],
  },
  ended: {
    heading: 'Este enlace de pago ya no está disponible',
    text: (account) => `No se le ha cobrado nada. Pida un enlace nuevo a ${account}.`,
  },
  used_up: {
    heading: 'No quedan pagos disponibles por ahora',
    text: (account) =>
      `Otras personas están completando los últimos pagos a ${account}. ` +
      'No se le ha cobrado nada. Vuelva a intentarlo en una hora.',
  },
}

const confirm_email_page: Translations['confirm_email_page'] = {
  email: 'Correo',
  this_link: 'Este enlace',
  link_lifetime: 'sirve una sola vez, durante 24 horas',

  confirm: {
    heading: 'Confirme su nueva dirección de correo',
    lead: (account) =>
      `Esta dirección se ha indicado como nueva dirección de correo de ${account}. ` +
      'Hasta que la confirme, se mantiene la anterior.',
    what: 'Al confirmar',
    steps: [
      [
        'Iniciará sesión con la nueva dirección',
        'Su contraseña no cambia y las sesiones activas se mantienen.',
      ],
      ['Se avisará a la dirección anterior', 'Ya no servirá para iniciar sesión.'],
    ],
    button: 'Confirmar dirección',
    safe: '¿No lo ha solicitado usted? Cierre esta página. No cambiará nada.',
  },
  next: 'Próximos pasos',
  confirmed: {
    heading: 'Su dirección de correo ha cambiado',
    lead: (account) =>
      `A partir de ahora, use esta dirección para iniciar sesión en ${account}. ` +
      'Este enlace ya se ha usado y ha dejado de funcionar.',
    steps: [
      [
        'Inicie sesión con la nueva dirección',
        'Su contraseña es la misma y las sesiones activas se mantienen.',
      ],
      ['Consulte su buzón anterior', 'Encontrará un mensaje que confirma el cambio.'],
    ],
  },
  invalid: {
    heading: 'Este enlace no funciona',
    lead:
      'Ya se ha usado, tiene más de 24 horas, se ha enviado uno más reciente ' +
      'o la contraseña ha cambiado desde entonces.',
    steps: [
      [
        'Si ya lo ha confirmado',
        'Su dirección de correo ha cambiado. Inicie sesión con la nueva dirección.',
      ],
      [
        'Si aún no lo ha confirmado',
        'La cuenta mantiene la dirección anterior. Vuelva a solicitar el cambio.',
      ],
    ],
  },
  taken: {
    heading: 'Esta dirección de correo ya está en uso',
    lead:
      'Otro usuario se registró con esta dirección después de solicitarse el cambio. ' +
      'No ha cambiado nada: la cuenta mantiene la dirección anterior.',
    steps: [
      ['Si ese usuario es usted', 'Elimine ese usuario y vuelva a abrir el enlace.'],
      ['Si es otra persona', 'Solicite el cambio a otra dirección.'],
    ],
  },
}

export const es: Translations = {
  name: 'Español',
  labels,
  emails,
  payment_page,
  link_page,
  confirm_email_page,
}
