// Progressive enhancement for the payment page. The page works without it: the server repeats every
// check and returns the same messages. The script neither stores nor sends card data; the browser
// submits the form.

const form = document.querySelector('#card-form')
if (form !== null) enhanceCardForm(form)

const checkout_form = document.querySelector('#checkout-form')
if (checkout_form !== null) openOnce(checkout_form)

const refresh_url = document.body.dataset.refresh
if (refresh_url !== undefined) pollUntilChanged(refresh_url, 1)

const print_button = document.querySelector('#print')
if (print_button !== null) {
  print_button.hidden = false
  print_button.addEventListener('click', () => window.print())
}

for (const time of document.querySelectorAll('time[data-zone]')) showInOwnZone(time)

const confirm_form = document.querySelector('#confirm-form')
if (confirm_form !== null) submitOnce(confirm_form)

// Browsers provide the clipboard only on HTTPS and localhost.
for (const button of document.querySelectorAll('button[data-copy]')) {
  if (navigator.clipboard === undefined) break
  button.hidden = false
  button.addEventListener('click', () => copyText(button))
}

/** The server knows the account's time zone only. Same format as on the server. */
function showInOwnZone(time) {
  const { zone, locale } = time.dataset
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  if (timeZone === undefined || timeZone === zone) return
  const format = new Intl.DateTimeFormat([locale, 'en'], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  })
  time.textContent = format.format(new Date(time.dateTime))
}

/** A disabled button would not submit its value, so the second submission is suppressed. */
function submitOnce(form) {
  let sent = false
  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault()
    sent = true
  })
  window.addEventListener('pageshow', () => {
    sent = false
  })
}

/** If the browser denies access, the text is selected for manual copying. */
async function copyText(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
    showCopied(button)
  } catch {
    getSelection().selectAllChildren(button.closest('div').querySelector('.quoted'))
  }
}

function showCopied(button) {
  const label = button.querySelector('span')
  const { copied } = button.dataset
  if (label.textContent === copied) return
  const copy = label.textContent
  label.textContent = copied
  setTimeout(() => {
    label.textContent = copy
  }, 2_000)
}

function enhanceCardForm(form) {
  const { number, expires } = form.elements
  number.addEventListener('input', () => rewrite(number, inGroups))
  expires.addEventListener('input', (event) => {
    if (!event.inputType?.startsWith('delete')) rewrite(expires, asMonth)
  })
  for (const field of cardFields(form)) {
    field.addEventListener('input', () => showFault(field, ''))
  }
  payOnce(form)
  fillWithTestCards(form)
  showWhenOffline(form)
}

function cardFields(form) {
  const { number, expires, csc } = form.elements
  return [number, expires, csc]
}

/** Reformats a field and keeps the caret after the same digit. */
function rewrite(field, write) {
  const digits_before = digitsOf(field.value.slice(0, field.selectionStart)).length
  const at_end = field.selectionStart === field.value.length
  const text = write(field.value)
  if (text === field.value) return
  field.value = text
  const caret = at_end ? text.length : afterDigits(text, digits_before)
  field.setSelectionRange(caret, caret)
}

function afterDigits(text, count) {
  let at = 0
  for (let seen = 0; at < text.length && seen < count; at++) if (/\d/.test(text[at])) seen++
  return at
}

/** Digits only. NFKC converts full-width digits from Japanese keyboards. */
function digitsOf(text) {
  return text.normalize('NFKC').replace(/\D/g, '')
}

function inGroups(text) {
  return digitsOf(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ')
}

/** Formats 4 as 04 and 1228 as 12 / 28. Some browsers autofill 12/2028, which becomes 12 / 28. */
function asMonth(text) {
  const parts = /^\s*(\d{1,2})\s*[/.-]\s*(?:20)?(\d{0,2})\s*$/.exec(text.normalize('NFKC'))
  let digits = parts === null ? digitsOf(text) : parts[1].padStart(2, '0') + parts[2]
  if (/^[2-9]/.test(digits)) digits = `0${digits}`
  if (/^\d\d20\d\d$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4)
  digits = digits.slice(0, 4)
  return digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`
}

/** Submits the form once. Navigating back to the page re-enables the button. */
function payOnce(form) {
  const button = form.querySelector('#pay')
  const translations = translationsOf(form)
  const pay = button.textContent
  let sent = false
  form.addEventListener('submit', (event) => {
    if (sent || !canSubmit(form, translations)) {
      event.preventDefault()
      return
    }
    sent = true
    button.disabled = true
    button.textContent = translations.paying
  })
  window.addEventListener('pageshow', () => {
    sent = false
    button.disabled = false
    button.textContent = pay
  })
}

/** Submits the choice of a provider once. Navigating back to the page re-enables the buttons. */
function openOnce(form) {
  const buttons = [...form.querySelectorAll('button[name="provider"]')]
  const labels = buttons.map((button) => button.textContent)
  let sent = false
  form.addEventListener('submit', (event) => {
    if (sent) {
      event.preventDefault()
      return
    }
    sent = true
    // Later, because the value of a disabled button is not submitted.
    setTimeout(() => {
      event.submitter.textContent = form.dataset.opening
      for (const button of buttons) button.disabled = true
    })
  })
  window.addEventListener('pageshow', () => {
    sent = false
    buttons.forEach((button, at) => {
      button.disabled = false
      button.textContent = labels[at]
    })
  })
}

function translationsOf(form) {
  return JSON.parse(form.dataset.translations)
}

function canSubmit(form, translations) {
  hideNotice(form)
  const invalid = cardFields(form).filter((field) => {
    showFault(field, faultOf(field, translations.faults))
    return field.hasAttribute('aria-invalid')
  })
  invalid[0]?.focus()
  if (invalid.length > 0) return false
  if (!isAccepted(form.elements.number)) return reject(form, translations.refused)
  if (isOffline()) return reject(form, translations.offline)
  return true
}

// A machine without a network reports offline even when it reaches a server on localhost. Trust the
// value only if it was online when the page loaded.
const was_online = navigator.onLine

function isOffline() {
  return was_online && !navigator.onLine
}

const shapes = { number: /^\d{12,19}$/, expires: /^(0[1-9]|1[0-2])\d\d$/, csc: /^\d{3,4}$/ }

function faultOf(field, faults) {
  const text = field.name === 'expires' ? asMonth(field.value) : field.value
  const digits = digitsOf(text)
  if (digits === '') return faults[field.name].missing
  return shapes[field.name].test(digits) ? '' : faults[field.name].malformed
}

function showFault(field, text) {
  const note = document.querySelector(`#${field.id}-fault`)
  const hint = document.querySelector(`#${field.id}-hint`)
  note.hidden = text === ''
  note.querySelector('span').textContent = text
  const notes = [hint, text === '' ? null : note].filter((one) => one !== null)
  setOrRemove(field, 'aria-describedby', notes.map(({ id }) => id).join(' '))
  setOrRemove(field, 'aria-invalid', text === '' ? '' : 'true')
}

function setOrRemove(element, name, value) {
  if (value === '') element.removeAttribute(name)
  else element.setAttribute(name, value)
}

/** In the sandbox, only test cards are submitted: a real number never leaves the browser. */
function isAccepted(number) {
  const tests = document.querySelector('#test-cards')
  if (tests === null) return true
  const digits = digitsOf(number.value)
  return [...tests.querySelectorAll('button')].some(({ value }) => value === digits)
}

function reject(form, message) {
  showNotice(form, message).focus()
  return false
}

function showNotice(form, [what, next]) {
  const notice = form.querySelector('#notice')
  notice.querySelector('b').textContent = what
  notice.querySelector('span').textContent = next
  notice.hidden = false
  return notice
}

function hideNotice(form) {
  form.querySelector('#notice').hidden = true
}

function fillWithTestCards(form) {
  document.querySelector('#test-cards')?.addEventListener('submit', (event) => {
    event.preventDefault()
    const { number, expires, csc } = form.elements
    number.value = inGroups(event.submitter.value)
    expires.value = form.dataset.month
    csc.value = '123'
    for (const field of cardFields(form)) showFault(field, '')
    hideNotice(form)
    form.querySelector('#pay').focus()
  })
}

function showWhenOffline(form) {
  const { offline } = translationsOf(form)
  const notice = form.querySelector('#notice')
  window.addEventListener('offline', () => showNotice(form, offline))
  window.addEventListener('online', () => {
    if (notice.querySelector('b').textContent === offline[0]) hideNotice(form)
  })
}

/** Polls the page in the background and reloads it when its state has changed. */
async function pollUntilChanged(url, wait_s) {
  await new Promise((resolve) => setTimeout(resolve, wait_s * 1000))
  if (await hasChanged(url)) location.replace(url)
  else pollUntilChanged(url, Math.min(wait_s + 1, 5))
}

async function hasChanged(url) {
  try {
    const response = await fetch(url, { cache: 'no-store' })
    const text = response.ok ? await response.text() : ''
    return text !== '' && !text.includes('<body data-state="processing"')
  } catch {
    return false
  }
}
