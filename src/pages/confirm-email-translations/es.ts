import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

export const es: ConfirmEmailTranslations = {
  account: 'Cuenta',
  email: 'Correo',
  new_email: 'Nueva dirección',
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
