import type { ConfirmEmailTranslations } from './confirm-email-translations-shape.ts'

export const es: ConfirmEmailTranslations = {
  account: 'Cuenta',
  email: 'Correo',
  new_email: 'Nuevo correo',
  this_link: 'Este enlace',
  link_lifetime: 'sirve una vez, durante 24 horas',

  confirm: {
    heading: 'Confirme su nuevo correo',
    lead: (account) =>
      `Alguien ha pedido que esta dirección sea el correo de ${account}. ` +
      'Mientras no lo confirme, se mantiene el anterior.',
    what: 'Qué cambia al confirmar',
    steps: [
      [
        'El titular inicia sesión con el nuevo correo',
        'La contraseña no cambia y las sesiones abiertas continúan.',
      ],
      ['Se avisa a la dirección anterior', 'Ya no servirá para iniciar sesión.'],
    ],
    button: 'Confirmar el correo',
    safe: '¿No lo ha pedido usted? Cierre esta página. Nada cambia.',
  },
  next: 'Qué hacer ahora',
  confirmed: {
    heading: 'El correo ha cambiado',
    lead: (account) =>
      `El titular de ${account} inicia sesión desde ahora con esta dirección. ` +
      'El enlace ya ha cumplido su función y no abre nada más.',
    steps: [
      [
        'Inicie sesión con el nuevo correo',
        'La contraseña es la misma y las sesiones abiertas continúan.',
      ],
      ['Mire en el buzón anterior', 'Allí hay un mensaje que dice que el correo ha cambiado.'],
    ],
  },
  dead: {
    heading: 'Este enlace no funciona',
    lead:
      'Ya se ha usado, tiene más de 24 horas, se ha enviado otro más reciente ' +
      'o la contraseña ha cambiado desde entonces.',
    steps: [
      ['Ya lo había confirmado', 'El correo ha cambiado. Inicie sesión con el nuevo.'],
      [
        'Aún no lo había confirmado',
        'La cuenta mantiene el correo anterior. Vuelva a pedir el cambio.',
      ],
    ],
  },
  taken: {
    heading: 'Este correo ya está en uso',
    lead:
      'Después de pedirse el cambio se ha registrado un usuario con este correo. ' +
      'Nada ha cambiado: la cuenta mantiene el correo anterior.',
    steps: [
      ['Ese usuario es usted', 'Elimínelo y vuelva a abrir el enlace.'],
      ['Es otra persona', 'Pida el cambio a otra dirección.'],
    ],
  },
}
