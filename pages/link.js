// The page that links to accounts lead to. The token stands behind `#`: no server receives it, and it leaves the browser only in the
// body of a request. Looking at a link uses nothing up; only the button does.

/** What the page says, by language; the first is that of a browser of any other. */
const languages = {
  en: {
    'email-label': 'Account',
    'new-email-label': 'New address',
    'password-label': 'New password',
    'password-hint': 'Four or more words that do not belong together make a good password.',
    'show-label': 'Show the password',
    'second-label': 'Second factor',
    'factor-label': 'Factor',
    'code-label': 'Code',
    'recovery-code-label': 'Recovery code',
  },
  de: {
    'email-label': 'Konto',
    'new-email-label': 'Neue Adresse',
    'password-label': 'Neues Passwort',
    'password-hint': 'Vier oder mehr Wörter, die nicht zusammengehören, sind ein gutes Passwort.',
    'show-label': 'Passwort anzeigen',
    'second-label': 'Zweiter Faktor',
    'factor-label': 'Faktor',
    'code-label': 'Code',
    'recovery-code-label': 'Wiederherstellungscode',
  },
}
/** As it was chosen in the console, or that of the browser. */
const wanted = globalThis.localStorage?.getItem('muster.language') ?? globalThis.navigator?.language
const language = wanted?.startsWith('de') ? 'de' : 'en'
/** One of the two texts. */
const say = (en, de) => (language === 'de' ? de : en)

const recovery = {
  path: '/auth/recovery/complete',
  password: 'newPassword',
  title: say('Choose a new password', 'Neues Passwort wählen'),
  submit: say('Set the new password', 'Neues Passwort setzen'),
  effect: say(
    'Every session of the account ends. Then sign in with the new password.',
    'Alle Sitzungen des Kontos enden. Melden Sie sich dann mit dem neuen Passwort an.',
  ),
  done: [
    say('The password is changed', 'Das Passwort ist geändert'),
    say(
      'Sign in with the new password. Every other session has ended.',
      'Melden Sie sich mit dem neuen Passwort an. Alle anderen Sitzungen sind beendet.',
    ),
  ],
}
const confirmed = [
  say('The address is confirmed', 'Die Adresse ist bestätigt'),
  say('Sign in with the new address from now on.', 'Melden Sie sich von jetzt an mit der neuen Adresse an.'),
]
const signUp = {
  path: '/auth/sign-up/confirm',
  // Nobody goes on from this page: the user signs in to the product, whose session is then the first one.
  isSignUp: true,
  password: 'password',
  title: say('Choose a password', 'Passwort wählen'),
  submit: say('Make the account', 'Konto anlegen'),
  effect: say('Then sign in with it.', 'Melden Sie sich dann damit an.'),
  done: [
    say('Your account is ready', 'Ihr Konto ist angelegt'),
    say('Sign in with the address and the password.', 'Melden Sie sich mit der Adresse und dem Passwort an.'),
  ],
}
/** What one link does: where its token is sent, with which password, and what the page says. */
const purposes = {
  recovery,
  recovery_reset_factors: {
    ...recovery,
    note: say(
      'The second factors and recovery codes of the account are removed. Set up new ones after you have signed in.',
      'Die zweiten Faktoren und Wiederherstellungscodes des Kontos werden entfernt. Richten Sie nach der Anmeldung neue ein.',
    ),
  },
  sign_up: signUp,
  invitation: { ...signUp, path: '/auth/sign-up', token: 'invitation' },
  email_change: {
    path: '/auth/email/confirm',
    title: say('Confirm your address', 'Adresse bestätigen'),
    note: say(
      'Confirm it only if you asked for it yourself: the account would be that of another person otherwise.',
      'Bestätigen Sie sie nur, wenn Sie selbst darum gebeten haben: Sonst wäre das Konto das eines anderen.',
    ),
    submit: say('Confirm the address', 'Adresse bestätigen'),
    done: confirmed,
  },
  email_change_old: {
    path: '/auth/email/confirm',
    title: say('Allow another address', 'Andere Adresse erlauben'),
    submit: say('Allow the change', 'Änderung erlauben'),
    done: confirmed,
  },
  email_undo: {
    path: '/auth/email/undo',
    title: say('Put the address back', 'Adresse zurücksetzen'),
    submit: say('Put the address back', 'Adresse zurücksetzen'),
    effect: say(
      'Every session of the account ends, and its password is not accepted any more.',
      'Alle Sitzungen des Kontos enden, und sein Passwort gilt nicht mehr.',
    ),
    done: [
      say('The address is back', 'Die Adresse ist zurückgesetzt'),
      say(
        'Now ask for a new password at the sign-in: nothing else opens the account.',
        'Fordern Sie jetzt bei der Anmeldung ein neues Passwort an: Nichts anderes öffnet das Konto.',
      ),
    ],
  },
}
const halfConfirmed = [
  say('One address is confirmed', 'Eine Adresse ist bestätigt'),
  say(
    'Now open the link in the mail to the other address. Until then nothing changes.',
    'Öffnen Sie jetzt den Link in der Mail an die andere Adresse. Bis dahin ändert sich nichts.',
  ),
]

const el = (id) => document.getElementById(id)
const values = new URLSearchParams(location.hash.slice(1))
const token = values.get('token')
const recoveryCodeChoice = 'recovery-code'
const passkeyChoice = 'passkey'
/** What the link is for, once it was looked at. */
let purpose
let awaitsOther = false
/** What the browser needs to ask for a passkey. Each is good for one answer. */
let passkeyOptions
let isSending = false

// Neither the history nor a screenshot of the address bar keeps the token. Reloading the page needs the link again.
history.replaceState(null, '', location.pathname)

void open()

async function open() {
  document.documentElement.lang = language
  for (const [id, text] of Object.entries(languages[language])) el(id).textContent = text
  if (!token)
    return end(
      say('This page needs a link', 'Diese Seite braucht einen Link'),
      say(
        'Open the link that you were given, from its beginning to its end.',
        'Öffnen Sie den Link, den Sie bekommen haben, von Anfang bis Ende.',
      ),
    )
  el('status').textContent = say('Looking at the link …', 'Der Link wird geprüft …')
  const { body, problem } = await post('/auth/links/inspect', { token })
  if (problem?.code === 'link_invalid') return endInvalid()
  if (problem) return end(say('The link could not be read', 'Der Link konnte nicht gelesen werden'), textOf(problem))
  show(body)
}

function show(link) {
  purpose = purposes[link.purpose]
  awaitsOther = link.awaitsOther === true
  el('status').textContent = ''
  entitle(purpose.title)
  el('submit').textContent = purpose.submit
  el('effect').textContent = purpose.effect ?? ''
  el('note').textContent = purpose.note ?? ''
  el('note').hidden = !purpose.note
  el('email').value = link.email
  el('new-email').value = link.newEmail ?? ''
  el('new-email-part').hidden = !link.newEmail
  el('password-part').hidden = !purpose.password
  el('second').hidden = !link.needsFactor
  passkeyOptions = canUsePasskeys() ? link.passkey?.options : undefined
  for (const { text, value } of choicesOf(link.factors)) el('factor').append(new Option(text, value))
  el('factor').append(
    new Option(say('A recovery code instead', 'Stattdessen ein Wiederherstellungscode'), recoveryCodeChoice),
  )
  el('factor').addEventListener('change', showProof)
  el('show').addEventListener('change', () => {
    el('password').type = el('show').checked ? 'text' : 'password'
  })
  el('form').addEventListener('submit', (event) => {
    event.preventDefault()
    void complete()
  })
  showProof()
  el('form').hidden = false
  void nameOtherUser(link.email)
  el(purpose.password ? 'password' : 'title').focus()
}

/** Says so where this browser is signed in to the console as someone else: the link changes the account that it names. */
async function nameOtherUser(email) {
  const user = await consoleUser().catch(() => undefined)
  if (!user?.email || user.email === email) return
  el('other-user').textContent = say(
    `You are signed in here as ${user.email}. This link is for ${email}, and changes nothing of ${user.email}.`,
    `Sie sind hier als ${user.email} angemeldet. Dieser Link gilt für ${email} und ändert nichts an ${user.email}.`,
  )
  el('other-user').hidden = false
}

/** Nothing where this browser has never signed in to the console. One exchange at a time, as in the console itself. */
async function consoleUser() {
  if (!globalThis.localStorage?.getItem('muster.device')) return undefined
  const renewed = await navigator.locks.request('muster console session', () =>
    fetch('/console/session', { method: 'POST' }),
  )
  if (renewed.status !== 200) return undefined
  const { access_token: accessToken } = await renewed.json()
  const answer = await fetch('/auth/account', { headers: { Authorization: `Bearer ${accessToken}` } })
  return answer.ok ? answer.json() : undefined
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
  const password = el('password').value
  if (purpose.password && password === '')
    return showFault(say('Type a new password.', 'Geben Sie ein neues Passwort ein.'), 'password')
  isSending = true
  el('submit').setAttribute('aria-disabled', 'true')
  showFault('')
  const shown = await proof()
  const { problem } = shown
    ? await post(purpose.path, {
        ...tokenOf(purpose),
        ...(purpose.password && { [purpose.password]: password }),
        ...(purpose.isSignUp && { signIn: false }),
        ...shown,
      })
    : { problem: { code: 'passkey_cancelled' } }
  isSending = false
  el('submit').removeAttribute('aria-disabled')
  if (!problem) return end(...(awaitsOther ? halfConfirmed : purpose.done))
  if (problem.code === 'link_invalid') return endInvalid()
  showFault(textOf(problem), fieldOf(problem))
}

/** An invitation is for one address. */
function tokenOf({ token: name = 'token' }) {
  return { [name]: token, ...(name === 'invitation' && { email: el('email').value }) }
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
    const body = answer.status === 204 ? {} : await answer.json()
    return answer.ok ? { body } : { problem: { ...body, retryAfter: answer.headers.get('retry-after') } }
  } catch {
    return { problem: { code: 'unreachable' } }
  }
}

const busy = ({ wait }) =>
  say(`The service is busy; nothing was changed. ${wait}`, `Der Dienst ist ausgelastet; nichts wurde geändert. ${wait}`)

/** By code: what happened, what was not done, and what to do now. */
const texts = {
  passkey_cancelled: () =>
    say(
      'The browser has no answer of a passkey; the password is unchanged. Try again, or choose another factor.',
      'Der Browser hat keine Antwort eines Passkeys; das Passwort ist unverändert. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Faktor.',
    ),
  unreachable: () =>
    say(
      'The service could not be reached. Try again.',
      'Der Dienst ist nicht erreichbar. Versuchen Sie es noch einmal.',
    ),
  code_refused: ({ detail = '' }) =>
    el('factor').value === passkeyChoice
      ? say(
          'The passkey was not accepted; the password is unchanged.',
          'Der Passkey wurde nicht angenommen; das Passwort ist unverändert.',
        )
      : say(
          `The code is wrong or was used before; the password is unchanged. ${detail}`,
          `Der Code ist falsch oder wurde schon benutzt; das Passwort ist unverändert. ${detail}`,
        ),
  sign_in_wait: ({ wait }) =>
    say(
      `Too many codes were wrong lately; the password is unchanged. ${wait}`,
      `Zu viele Codes waren zuletzt falsch; das Passwort ist unverändert. ${wait}`,
    ),
  sign_up_refused: () => say('Sign-up is closed by now.', 'Die Registrierung ist inzwischen geschlossen.'),
  rate_limited: busy,
  overloaded: busy,
  input_invalid: ({ errors = [] }) => inputText(errors),
}

function textOf({ retryAfter, ...problem }) {
  const wait = retryAfter
    ? say(`Try again in ${durationOf(retryAfter)}.`, `Versuchen Sie es in ${durationOf(retryAfter)} noch einmal.`)
    : say('Try again later.', 'Versuchen Sie es später noch einmal.')
  const { code, detail, title = 'The service answered with an error.', instance = code } = problem
  return texts[code]?.({ ...problem, wait }) ?? `${detail ?? title} (${instance})`
}

const isOfPassword = ({ pointer }) => pointer === `/${purpose?.password}`

function inputText(errors) {
  const fault = errors.find(isOfPassword)
  return fault
    ? say(`The password ${fault.detail}.`, `Dieses Passwort wird nicht angenommen: ${fault.detail}.`)
    : say('The code does not have the right form.', 'Der Code hat nicht die richtige Form.')
}

function fieldOf({ code, errors }) {
  if (errors?.some(isOfPassword)) return 'password'
  if (code !== 'code_refused' && !errors) return 'submit'
  const fields = { [recoveryCodeChoice]: 'recovery-code', [passkeyChoice]: 'submit' }
  return fields[el('factor').value] ?? 'code'
}

function durationOf(retryAfter) {
  const seconds = Number(retryAfter)
  return seconds < 90
    ? `${seconds} ${say('seconds', 'Sekunden')}`
    : `${Math.ceil(seconds / 60)} ${say('minutes', 'Minuten')}`
}

function showFault(text, field) {
  el('fault').textContent = text
  for (const id of ['password', 'code', 'recovery-code'])
    el(id).setAttribute('aria-invalid', String(text !== '' && id === field))
  if (field) el(field).focus()
}

function endInvalid() {
  end(
    say('The link is not valid any more', 'Der Link gilt nicht mehr'),
    say(
      'It has expired, was used, or the account has changed since. Ask for a new one.',
      'Er ist abgelaufen, wurde benutzt, oder das Konto hat sich seitdem geändert. Fordern Sie einen neuen an.',
    ),
  )
}

function end(title, text) {
  el('form').hidden = true
  el('password').value = ''
  entitle(title)
  el('status').textContent = text
  el('title').focus()
}

function entitle(title) {
  el('title').textContent = title
  document.title = title
}
