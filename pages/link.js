// The page that recovery links lead to. The token stands behind `#`: no server receives it, and it leaves the browser only in the body of
// a request. Looking at a link uses nothing up; only the button does.

const el = (id) => document.getElementById(id)
const values = new URLSearchParams(location.hash.slice(1))
const token = values.get('token')
const recoveryCodeChoice = 'recovery-code'
const passkeyChoice = 'passkey'
/** What the browser needs to ask for a passkey. Each is good for one answer. */
let passkeyOptions
let isSending = false

// Neither the history nor a screenshot of the address bar keeps the token. Reloading the page needs the link again.
history.replaceState(null, '', location.pathname)

void open()

async function open() {
  if (!token) return end('This page needs a link', 'Open the link that you were given, from its beginning to its end.')
  el('status').textContent = 'Looking at the link …'
  const { body, problem } = await post('/auth/links/inspect', { token })
  if (problem)
    return problem.code === 'link_invalid' ? endInvalid() : end('The link could not be read', textOf(problem))
  el('status').textContent = ''
  el('email').value = body.email
  el('reset-note').hidden = body.purpose !== 'recovery_reset_factors'
  el('second').hidden = !body.needsFactor
  passkeyOptions = canUsePasskeys() ? body.passkey?.options : undefined
  for (const { text, value } of choicesOf(body.factors)) el('factor').append(new Option(text, value))
  el('factor').append(new Option('A recovery code instead', recoveryCodeChoice))
  el('factor').addEventListener('change', showProof)
  el('show').addEventListener('change', () => {
    el('password').type = el('show').checked ? 'text' : 'password'
  })
  el('recovery').addEventListener('submit', (event) => {
    event.preventDefault()
    void complete()
  })
  showProof()
  el('recovery').hidden = false
  el('password').focus()
}

/** One choice for all passkeys: the browser asks which. */
function choicesOf(factors) {
  const names = factors.filter(({ type }) => type === 'passkey').map(({ friendlyName }) => friendlyName)
  const codes = factors.filter(({ type }) => type !== 'passkey')
  return [
    ...(passkeyOptions ? [{ text: `Passkey (${names.join(', ')})`, value: passkeyChoice }] : []),
    ...codes.map(({ id, friendlyName }) => ({ text: friendlyName, value: id })),
  ]
}

function canUsePasskeys() {
  return typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

function showProof() {
  const choice = el('factor').value
  el('code-part').hidden = choice === recoveryCodeChoice || choice === passkeyChoice
  el('recovery-code-part').hidden = choice !== recoveryCodeChoice
}

async function complete() {
  if (isSending) return
  if (el('password').value === '') return showFault('Type a new password.', 'password')
  isSending = true
  el('submit').setAttribute('aria-disabled', 'true')
  showFault('')
  const shown = await proof()
  const { problem } = shown
    ? await post('/auth/recovery/complete', { token, newPassword: el('password').value, ...shown })
    : { problem: { code: 'passkey_cancelled' } }
  isSending = false
  el('submit').removeAttribute('aria-disabled')
  if (!problem) return end('The password is changed', 'Sign in with the new password. Every other session has ended.')
  if (problem.code === 'link_invalid') return endInvalid()
  showFault(textOf(problem), fieldOf(problem))
}

/** `undefined` where the user or the browser gave none. */
async function proof() {
  if (el('second').hidden) return {}
  if (el('factor').value === passkeyChoice) return passkeyProof()
  if (el('factor').value === recoveryCodeChoice) return { recoveryCode: el('recovery-code').value.trim() }
  return { factorId: el('factor').value, code: el('code').value.replaceAll(/\s/g, '') }
}

/** Looks at the link once more, which gives new options: those of the first look may be used or too old. */
async function passkeyProof() {
  const { body } = await post('/auth/links/inspect', { token })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body?.passkey?.options ?? passkeyOptions)
  try {
    return { credential: (await navigator.credentials.get({ publicKey })).toJSON() }
  } catch {
    return undefined
  }
}

/** The answer, or a problem: that of the service, or that there was no answer. */
async function post(path, sent) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(sent),
      credentials: 'omit',
    })
    const body = await answer.json()
    return answer.ok ? { body } : { problem: { ...body, retryAfter: answer.headers.get('retry-after') } }
  } catch {
    return { problem: { code: 'unreachable' } }
  }
}

/** By code: what happened, what was not done, and what to do now. */
const texts = {
  passkey_cancelled: () =>
    'The browser has no answer of a passkey; the password is unchanged. Try again, or choose another factor.',
  unreachable: () => 'The service could not be reached. Try again.',
  code_refused: ({ detail = '' }) =>
    el('factor').value === passkeyChoice
      ? 'The passkey was not accepted; the password is unchanged.'
      : `The code is wrong or was used before; the password is unchanged. ${detail}`,
  sign_in_wait: ({ wait }) => `Too many codes were wrong lately; the password is unchanged. ${wait}`,
  rate_limited: ({ wait }) => `The service is busy; nothing was changed. ${wait}`,
  overloaded: ({ wait }) => `The service is busy; nothing was changed. ${wait}`,
  input_invalid: ({ errors = [] }) => inputText(errors),
}

function textOf({ retryAfter, ...problem }) {
  const wait = retryAfter ? `Try again in ${durationOf(Number(retryAfter))}.` : 'Try again later.'
  const { code, detail, title = 'The service answered with an error.', instance = code } = problem
  return texts[code]?.({ ...problem, wait }) ?? `${detail ?? title} (${instance})`
}

function inputText(errors) {
  const fault = errors.find(({ pointer }) => pointer === '/newPassword')
  return fault ? `The password ${fault.detail}.` : 'The code does not have the right form.'
}

function fieldOf({ code, errors }) {
  if (errors?.some(({ pointer }) => pointer === '/newPassword')) return 'password'
  if (code !== 'code_refused' && !errors) return 'submit'
  const fields = { [recoveryCodeChoice]: 'recovery-code', [passkeyChoice]: 'submit' }
  return fields[el('factor').value] ?? 'code'
}

function durationOf(seconds) {
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}

function showFault(text, field) {
  el('fault').textContent = text
  for (const id of ['password', 'code', 'recovery-code'])
    el(id).setAttribute('aria-invalid', String(text !== '' && id === field))
  if (field) el(field).focus()
}

function endInvalid() {
  end(
    'The link is not valid any more',
    'It has expired, was used, or the account has changed since. Ask for a new one.',
  )
}

function end(title, text) {
  el('recovery').hidden = true
  el('password').value = ''
  el('title').textContent = title
  document.title = title
  el('status').textContent = text
  el('title').focus()
}
