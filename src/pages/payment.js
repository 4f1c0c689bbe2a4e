// Makes the payment page quicker to use. Everything works without it: the server checks all that is
// checked here, and says the same sentences. Nothing of a card is kept, and nothing is sent but the
// form itself, by the browser.

const form = document.querySelector('#card-form')
if (form !== null) helpWithCard(form)

const asked = document.body.dataset.ask
if (asked !== undefined) askUntilChanged(asked, 1)

const print_button = document.querySelector('#print')
if (print_button !== null) {
  print_button.hidden = false
  print_button.addEventListener('click', () => window.print())
}

// Over plain http from another machine a browser has no clipboard.
const copy_button = document.querySelector('#copy')
if (copy_button !== null && navigator.clipboard !== undefined) {
  copy_button.hidden = false
  copy_button.addEventListener('click', () => copyCode(copy_button))
}

/** Where the browser refuses, the code is selected, ready to be copied by hand. */
async function copyCode(button) {
  const code = document.querySelector('.quoted')
  try {
    await navigator.clipboard.writeText(code.textContent)
    sayCopied(button)
  } catch {
    getSelection().selectAllChildren(code)
  }
}

function sayCopied(button) {
  const said = button.querySelector('span')
  const { copied } = button.dataset
  if (said.textContent === copied) return
  const copy = said.textContent
  said.textContent = copied
  setTimeout(() => {
    said.textContent = copy
  }, 2_000)
}

function helpWithCard(form) {
  const { number, expires } = form.elements
  number.addEventListener('input', () => rewrite(number, inGroups))
  expires.addEventListener('input', (event) => {
    if (!event.inputType?.startsWith('delete')) rewrite(expires, asMonth)
  })
  for (const field of cardFields(form)) {
    field.addEventListener('input', () => sayFault(field, ''))
  }
  payOnce(form)
  fillWithTestCards(form)
  tellWhenOffline(form)
}

function cardFields(form) {
  const { number, expires, csc } = form.elements
  return [number, expires, csc]
}

/** Writes a field anew and leaves the caret behind the same digit. */
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

/** Digits alone; the wide ones of a Japanese keyboard too. */
function digitsOf(text) {
  return text.normalize('NFKC').replace(/\D/g, '')
}

function inGroups(text) {
  return digitsOf(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ')
}

/** 4 becomes 04, 1228 becomes 12 / 28, and so does the 12/2028 that some browsers fill in. */
function asMonth(text) {
  const whole = /^\s*(\d{1,2})\s*[/.-]\s*(?:20)?(\d{0,2})\s*$/.exec(text.normalize('NFKC'))
  let digits = whole === null ? digitsOf(text) : whole[1].padStart(2, '0') + whole[2]
  if (/^[2-9]/.test(digits)) digits = `0${digits}`
  if (/^\d\d20\d\d$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4)
  digits = digits.slice(0, 4)
  return digits.length < 2 ? digits : `${digits.slice(0, 2)} / ${digits.slice(2)}`
}

/** One press pays once. Whoever comes back to the page finds the button as it was. */
function payOnce(form) {
  const button = form.querySelector('#pay')
  const translations = translationsOf(form)
  const pay = button.textContent
  let sent = false
  form.addEventListener('submit', (event) => {
    if (sent || !mayBeSent(form, translations)) {
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

function translationsOf(form) {
  return JSON.parse(form.dataset.translations)
}

function mayBeSent(form, translations) {
  hideNotice(form)
  const wrong = cardFields(form).filter((field) => {
    sayFault(field, faultOf(field, translations.faults))
    return field.hasAttribute('aria-invalid')
  })
  wrong[0]?.focus()
  if (wrong.length > 0) return false
  if (!isTaken(form.elements.number)) return refuse(form, translations.refused)
  if (isOffline()) return refuse(form, translations.offline)
  return true
}

// A machine without a network says "offline" of itself, and yet this page came from the server.
// What it says counts only where it said "online" then.
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

function sayFault(field, text) {
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

/** In the sandbox no other card leaves the browser. */
function isTaken(number) {
  const tests = document.querySelector('#test-cards')
  if (tests === null) return true
  const digits = digitsOf(number.value)
  return [...tests.querySelectorAll('button')].some(({ value }) => value === digits)
}

function refuse(form, sentences) {
  say(form, sentences).focus()
  return false
}

function say(form, [what, next]) {
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
    for (const field of cardFields(form)) sayFault(field, '')
    hideNotice(form)
    form.querySelector('#pay').focus()
  })
}

function tellWhenOffline(form) {
  const { offline } = translationsOf(form)
  const notice = form.querySelector('#notice')
  window.addEventListener('offline', () => say(form, offline))
  window.addEventListener('online', () => {
    if (notice.querySelector('b').textContent === offline[0]) hideNotice(form)
  })
}

/** Asks for the page in the background, and shows it when it says something new. */
async function askUntilChanged(url, wait_s) {
  await new Promise((resolve) => setTimeout(resolve, wait_s * 1000))
  if (await hasChanged(url)) location.replace(url)
  else askUntilChanged(url, Math.min(wait_s + 1, 5))
}

async function hasChanged(url) {
  try {
    const answer = await fetch(url, { cache: 'no-store' })
    const text = answer.ok ? await answer.text() : ''
    return text !== '' && !text.includes('<body data-state="processing"')
  } catch {
    return false
  }
}
