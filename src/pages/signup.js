// The sign-up page works without this script. It adds the time zone of the browser, and a button
// that shows the password.

const timezone = document.querySelector('input[name="timezone"]')
if (timezone) timezone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''

const password = document.querySelector('input[type="password"]')
if (password) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'reveal'
  button.textContent = 'Show password'
  button.setAttribute('aria-controls', password.id)
  button.addEventListener('click', () => {
    const is_hidden = password.type === 'password'
    password.type = is_hidden ? 'text' : 'password'
    button.textContent = is_hidden ? 'Hide password' : 'Show password'
  })
  // After the hint, which belongs to the field.
  password.parentElement.append(button)
  // A browser must not store a visible password as the history of a text field.
  password.form.addEventListener('submit', () => {
    password.type = 'password'
  })
}
