import type { Translations } from '../translations.ts'

export const emails: Translations['emails'] = {
  payment_request: ({ name, amount }) => ({
    subject: `Solicitud de pago de ${name}: ${amount}`,
    title: `${name} le solicita un pago`,
    lead:
      'Revise los detalles en la página de pago. ' +
      'No se le cobrará nada hasta que usted lo confirme.',
    lead_by_transfer: 'La página de pago muestra los detalles y cómo pagar.',
    button: `Pagar ${amount}`,
    note: `¿No conoce a ${name}? Puede ignorar este mensaje. No se le hará ningún cargo.`,
  }),
  payment_reminder: ({ name, amount }) => ({
    subject: `Recordatorio: pago de ${amount} a ${name}`,
    title: `Su pago a ${name} sigue pendiente`,
    lead:
      'El enlace de pago caduca en la fecha indicada más abajo. ' +
      'Todavía no se le ha cobrado nada.',
    lead_by_transfer:
      'El enlace de pago caduca en la fecha indicada más abajo. ' +
      'La página de pago muestra cómo pagar.',
    button: `Pagar ${amount}`,
    note: '¿Ya ha pagado? Puede ignorar este recordatorio.',
  }),
  payment_receipt: ({ name, amount }) => ({
    subject: `Recibo: ${amount} a ${name}`,
    title: `Ha pagado a ${name}`,
    lead: 'Este es su recibo. Puede imprimirlo desde la página de pago.',
    button: 'Ver recibo',
    note:
      '¿No ha realizado usted este pago? ' +
      `Póngase en contacto con ${name} e indique el ID de transacción que figura arriba.`,
  }),
  payment_refund: ({ name, amount, paid, is_full }) => ({
    subject: `Reembolso: ${amount} de ${name}`,
    title: `Su reembolso de ${name}`,
    lead:
      (is_full
        ? 'Su pago se ha reembolsado íntegramente. '
        : `Se ha reembolsado una parte de su pago de ${paid}. `) +
      'Según su banco, el dinero puede tardar unos días hábiles en llegar.',
    button: 'Ver recibo',
    note:
      '¿Tiene alguna pregunta sobre este reembolso? ' +
      `Póngase en contacto con ${name} e indique el ID de transacción que figura arriba.`,
  }),
  email_verification: ({ name }) => ({
    subject: `Confirme su nueva dirección de correo para ${name}`,
    title: 'Confirme su nueva dirección de correo',
    lead:
      `Esta dirección se ha indicado como nueva dirección de correo de ${name}. ` +
      'Una vez confirmada, úsela para iniciar sesión.',
    button: 'Confirmar dirección',
    note: '¿No lo ha solicitado usted? Puede ignorar este mensaje. No cambiará nada.',
  }),
  email_change_requested: ({ name }) => ({
    subject: `Cambio de dirección de correo solicitado para ${name}`,
    title: 'Cambio de dirección de correo solicitado',
    lead:
      `La dirección de correo de ${name} cambiará en cuanto se confirme la nueva. ` +
      'Hasta entonces, inicie sesión con su dirección actual.',
    note:
      '¿No lo ha solicitado usted? ' +
      'Cambie su contraseña de inmediato para cancelar la solicitud.',
  }),
  email_change_confirmed: ({ name }) => ({
    subject: `La dirección de correo de ${name} ha cambiado`,
    title: 'Su dirección de correo ha cambiado',
    lead:
      'Se ha confirmado la nueva dirección. ' +
      `A partir de ahora, úsela para iniciar sesión en ${name}.`,
    note:
      '¿No ha realizado usted este cambio? ' +
      'Póngase en contacto de inmediato con el administrador de este servicio.',
  }),
  sign_up_verification: ({ service }) => ({
    subject: `Confirme su dirección de correo para ${service}`,
    title: 'Confirme su dirección de correo',
    lead: 'Abra el enlace e introduzca la contraseña que eligió para activar su cuenta.',
    button: 'Confirmar dirección',
    note:
      '¿No se ha registrado usted? Puede ignorar este mensaje. ' +
      'El registro se elimina al cabo de un día.',
  }),
  sign_up_attempt: ({ service }) => ({
    subject: `Ya tiene una cuenta en ${service}`,
    title: 'Ya tiene una cuenta',
    lead:
      'Se ha usado esta dirección para un registro, pero ya pertenece a una cuenta. ' +
      'Inicie sesión o restablezca su contraseña en la página de inicio de sesión.',
    button: 'Iniciar sesión',
    note: '¿No ha intentado registrarse? Puede ignorar este mensaje. No ha cambiado nada.',
  }),
  password_reset: ({ service }) => ({
    subject: `Restablezca su contraseña de ${service}`,
    title: 'Restablezca su contraseña',
    lead:
      'Abra el enlace para establecer una contraseña nueva. ' +
      'Funciona una sola vez y cierra todas sus sesiones.',
    button: 'Establecer contraseña',
    note: '¿No lo ha solicitado usted? Puede ignorar este mensaje. Su contraseña no cambia.',
  }),
  password_changed: ({ service }) => ({
    subject: `Su contraseña de ${service} ha cambiado`,
    title: 'Su contraseña ha cambiado',
    lead: 'La contraseña se ha restablecido con un enlace y se han cerrado todas las sesiones.',
    note:
      '¿No ha hecho usted este cambio? ' +
      'Póngase en contacto de inmediato con el operador de este servicio.',
  }),
  invitation: ({ name }) => ({
    subject: `${name} le invita a unirse a su equipo`,
    title: `Únase a ${name}`,
    lead: `Ha recibido una invitación de ${name}. Abra el enlace para elegir una contraseña.`,
    button: 'Aceptar la invitación',
    note: `¿No conoce ${name}? Puede ignorar este mensaje.`,
  }),
  dispute_opened: ({ name, amount }) => ({
    subject: `Pago disputado: ${amount} a ${name}`,
    title: 'Se ha disputado un pago',
    lead:
      'El titular de la tarjeta ha disputado este pago ante su banco. ' +
      'El importe se ha descontado de su saldo hasta que el banco decida.',
    note:
      'Si no está de acuerdo, envíe pruebas a su proveedor de pagos dentro del plazo. ' +
      'Un pago en disputa no se puede reembolsar.',
  }),
  dispute_won: ({ name, amount }) => ({
    subject: `Disputa ganada: ${amount} para ${name}`,
    title: 'Ha ganado la disputa',
    lead: 'El banco ha decidido a su favor. El importe se ha devuelto a su saldo.',
    note: 'No tiene que hacer nada más.',
  }),
  dispute_lost: ({ name, amount }) => ({
    subject: `Disputa perdida: ${amount} para ${name}`,
    title: 'Ha perdido la disputa',
    lead: 'El banco ha decidido a favor del titular de la tarjeta, que conserva el importe.',
    note: 'No tiene que hacer nada más. El importe se descontó al abrirse la disputa.',
  }),
  payment_received: ({ name, amount, count }) => ({
    subject:
      count === 1 ? `Ha recibido un pago: ${amount}` : `${count} pagos: ${amount} para ${name}`,
    title: count === 1 ? 'Ha recibido un pago' : `Ha recibido ${count} pagos`,
    lead:
      count === 1
        ? 'El pago se ha añadido a su saldo.'
        : 'Estos pagos llegaron en una hora y se han añadido a su saldo.',
    button: 'Ver transacciones',
    note: 'El cliente ya ha recibido un recibo.',
  }),
  payment_failed: ({ name, amount, count }) => ({
    subject: count === 1 ? `Pago fallido: ${amount}` : `${count} pagos fallidos para ${name}`,
    title: count === 1 ? 'Un pago ha fallado' : `${count} pagos han fallado`,
    lead: 'No se ha recibido dinero.',
    button: 'Ver solicitudes de pago',
    note: 'Para cobrar, envíe al cliente una nueva solicitud de pago.',
  }),
  new_login: () => ({
    subject: 'Nuevo inicio de sesión en su cuenta',
    title: 'Nuevo inicio de sesión',
    lead: 'Alguien inició sesión desde una dirección o un dispositivo que no había usado antes.',
    note: '¿No fue usted? Cambie su contraseña ahora. Eso cierra todas las demás sesiones.',
  }),
  weekly_summary: ({ name, week }) => ({
    subject: `Su semana en ${name}`,
    title: 'Su semana',
    lead: `Esto es lo que ocurrió: ${week}.`,
    button: 'Abrir el panel',
    note: 'Los importes cuentan en el día en que se creó el pago.',
  }),
  settings: 'Cambiar sus notificaciones',
  webhook_gone: ({ name }) => ({
    subject: `Endpoint de webhook desactivado para ${name}`,
    title: 'Su endpoint de webhook se ha desactivado',
    lead: 'Respondió con el estado HTTP 410 (Gone), por lo que ya no se le envían eventos.',
    note:
      'Para volver a recibir eventos, reactive el endpoint. ' +
      'Puede reenviar los eventos de los últimos 90 días.',
  }),
  webhook_failing: ({ name }) => ({
    subject: `Endpoint de webhook desactivado para ${name}: las entregas fallan`,
    title: 'Su endpoint de webhook se ha desactivado',
    lead:
      'Todas las entregas han fallado durante varios días, ' +
      'por lo que ya no se le envían eventos.',
    note:
      'Corrija el problema en su endpoint y vuelva a activarlo. ' +
      'Puede reenviar los eventos de los últimos 90 días.',
  }),
  payout_destination_changed: ({ name }) => ({
    subject: `Cuenta de pagos cambiada para ${name}`,
    title: 'La cuenta bancaria de sus pagos ha cambiado',
    lead:
      'Los nuevos pagos a su favor se envían a la cuenta bancaria indicada abajo. ' +
      'El próximo pago debe aprobarse antes.',
    note: '¿No ha hecho este cambio? Contacte de inmediato con el operador de este servicio.',
  }),
  how_to_pay: 'Ver cómo pagar',
  link: 'Abra este enlace:',
  without_button: '¿El botón no funciona? Abra este enlace:',
  foot: (name) => `Enviado en nombre de ${name}. Pagos con Florin.`,
  service_foot: (name) => `Enviado por ${name}.`,
}
