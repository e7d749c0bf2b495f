// The page that links in mails open. The token is in the fragment, which no server receives; the page sends it only in
// the body of a request. Inspecting a link does not consume it. Only the button does.

/** Labels by language. */
const languages = {
  en: {
    'email-label': 'Account',
    'new-email-label': 'New email',
    'password-label': 'New password',
    'password-hint': 'Four or more unrelated words make a good password.',
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
/** The language chosen in the console, or that of the browser. */
const wanted = globalThis.localStorage?.getItem('muster.language') ?? globalThis.navigator?.language
const language = wanted?.startsWith('de') ? 'de' : 'en'
/** Picks the text of the language. */
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
  say('The email is confirmed', 'Die Adresse ist bestätigt'),
  say('Sign in with the new email from now on.', 'Melden Sie sich von jetzt an mit der neuen Adresse an.'),
]
const signUp = {
  path: '/auth/sign-up/confirm',
  // The user signs in to the product afterwards, whose session is then the first one.
  isSignUp: true,
  password: 'password',
  title: say('Choose a password', 'Passwort wählen'),
  submit: say('Create account', 'Konto anlegen'),
  effect: say('Then sign in with this password.', 'Melden Sie sich dann damit an.'),
  done: [
    say('Your account is ready', 'Ihr Konto ist angelegt'),
    say('Sign in with the email and the password.', 'Melden Sie sich mit der Adresse und dem Passwort an.'),
  ],
}
/** By purpose of the link: where the token is sent, which password is needed, and the texts of the page. */
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
    title: say('Confirm your email', 'Adresse bestätigen'),
    note: say(
      'Confirm only if you requested this. Otherwise someone else’s account would get your email.',
      'Bestätigen Sie sie nur, wenn Sie selbst darum gebeten haben: Sonst wäre das Konto das eines anderen.',
    ),
    submit: say('Confirm email', 'Adresse bestätigen'),
    done: confirmed,
  },
  email_change_old: {
    path: '/auth/email/confirm',
    title: say('Allow an email change', 'Andere Adresse erlauben'),
    submit: say('Allow change', 'Änderung erlauben'),
    done: confirmed,
  },
  email_undo: {
    path: '/auth/email/undo',
    title: say('Restore the email', 'Adresse zurücksetzen'),
    submit: say('Restore the email', 'Adresse zurücksetzen'),
    effect: say(
      'Every session of the account ends, and its password stops working.',
      'Alle Sitzungen des Kontos enden, und sein Passwort gilt nicht mehr.',
    ),
    done: [
      say('The email is restored', 'Die Adresse ist zurückgesetzt'),
      say(
        'Now request a new password on the sign-in page. Nothing else opens the account.',
        'Fordern Sie jetzt bei der Anmeldung ein neues Passwort an: Nichts anderes öffnet das Konto.',
      ),
    ],
  },
}
const halfConfirmed = [
  say('One email is confirmed', 'Eine Adresse ist bestätigt'),
  say(
    'Now open the link in the mail to the other email. Nothing changes until then.',
    'Öffnen Sie jetzt den Link in der Mail an die andere Adresse. Bis dahin ändert sich nichts.',
  ),
]

const el = (id) => document.getElementById(id)
const values = new URLSearchParams(location.hash.slice(1))
const token = values.get('token')
const isOrganizationInvitation = values.get('purpose') === 'organization_invitation'
const recoveryCodeChoice = 'recovery-code'
const passkeyChoice = 'passkey'
/** The entry of `purposes`, once the link is inspected. */
let purpose
let awaitsOther = false
/** Options for a passkey. They work once. */
let passkeyOptions
let isSending = false

// Keeps the token out of the history and of screenshots. Reloading the page needs the link again.
history.replaceState(null, '', location.pathname)

void open()

async function open() {
  document.documentElement.lang = language
  for (const [id, text] of Object.entries(languages[language])) el(id).textContent = text
  if (isOrganizationInvitation) return endOrganizationInvitation()
  if (!token)
    return end(
      say('This page needs a link', 'Diese Seite braucht einen Link'),
      say(
        'Open the complete link that you received.',
        'Öffnen Sie den Link, den Sie bekommen haben, von Anfang bis Ende.',
      ),
    )
  el('status').textContent = say('Checking the link …', 'Der Link wird geprüft …')
  const { body, problem } = await post('/auth/links/inspect', { token })
  if (problem?.code === 'link_invalid') return endInvalid()
  if (problem) return end(say('Could not check the link', 'Der Link konnte nicht gelesen werden'), textOf(problem))
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
    new Option(say('Use a recovery code', 'Stattdessen ein Wiederherstellungscode'), recoveryCodeChoice),
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

/** Warns if this browser is signed in to the console as another user. */
async function nameOtherUser(email) {
  const user = await consoleUser().catch(() => undefined)
  if (!user?.email || user.email === email) return
  el('other-user').textContent = say(
    `You are signed in here as ${user.email}. This link is for ${email} and does not change ${user.email}.`,
    `Sie sind hier als ${user.email} angemeldet. Dieser Link gilt für ${email} und ändert nichts an ${user.email}.`,
  )
  el('other-user').hidden = false
}

/** `undefined` if this browser never signed in to the console. The lock allows one refresh at a time, as in the console. */
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

/** One choice for all passkeys, because the browser asks which one. */
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
    return showFault(say('Enter a new password.', 'Geben Sie ein neues Passwort ein.'), 'password')
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

/** An invitation also needs its email. */
function tokenOf({ token: name = 'token' }) {
  return { [name]: token, ...(name === 'invitation' && { email: el('email').value }) }
}

/** `undefined` if the user or the browser cancelled. */
async function proof() {
  if (el('second').hidden) return {}
  if (el('factor').value === passkeyChoice) return passkeyProof()
  if (el('factor').value === recoveryCodeChoice) return { recoveryCode: el('recovery-code').value.trim() }
  return { factorId: el('factor').value, code: el('code').value.replaceAll(/\s/g, '') }
}

/** Inspects the link again for new options, because the first ones may be used or expired. */
async function passkeyProof() {
  const { body } = await post('/auth/links/inspect', { token })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body?.passkey?.options ?? passkeyOptions)
  try {
    return { credential: (await navigator.credentials.get({ publicKey })).toJSON() }
  } catch {
    return undefined
  }
}

/** Returns `{ body }`, or `{ problem }` of the service or the network. */
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
  say(`The service is busy. Nothing was changed. ${wait}`, `Der Dienst ist ausgelastet; nichts wurde geändert. ${wait}`)

/** Texts of errors, by code. */
const texts = {
  passkey_cancelled: () =>
    say(
      'The browser returned no passkey. The password is unchanged. Try again, or choose another factor.',
      'Der Browser hat keine Antwort eines Passkeys; das Passwort ist unverändert. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Faktor.',
    ),
  unreachable: () =>
    say('Could not reach the service. Try again.', 'Der Dienst ist nicht erreichbar. Versuchen Sie es noch einmal.'),
  code_refused: ({ detail = '' }) =>
    el('factor').value === passkeyChoice
      ? say(
          'The passkey was rejected. The password is unchanged.',
          'Der Passkey wurde nicht angenommen; das Passwort ist unverändert.',
        )
      : say(
          `The code is wrong or was already used. The password is unchanged. ${detail}`,
          `Der Code ist falsch oder wurde schon benutzt; das Passwort ist unverändert. ${detail}`,
        ),
  sign_in_wait: ({ wait }) =>
    say(
      `Too many wrong codes. The password is unchanged. ${wait}`,
      `Zu viele Codes waren zuletzt falsch; das Passwort ist unverändert. ${wait}`,
    ),
  sign_up_refused: () => say('Sign-up is closed.', 'Die Registrierung ist inzwischen geschlossen.'),
  rate_limited: busy,
  overloaded: busy,
  input_invalid: ({ errors = [] }) => inputText(errors),
}

function textOf({ retryAfter, ...problem }) {
  const wait = retryAfter
    ? say(`Try again in ${durationOf(retryAfter)}.`, `Versuchen Sie es in ${durationOf(retryAfter)} noch einmal.`)
    : say('Try again later.', 'Versuchen Sie es später noch einmal.')
  const { code, detail, title = 'The service returned an error.', instance = code } = problem
  return texts[code]?.({ ...problem, wait }) ?? `${detail ?? title} (${instance})`
}

const isOfPassword = ({ pointer }) => pointer === `/${purpose?.password}`

function inputText(errors) {
  const fault = errors.find(isOfPassword)
  return fault
    ? say(`The password ${fault.detail}.`, `Dieses Passwort wird nicht angenommen: ${fault.detail}.`)
    : say('The code has the wrong format.', 'Der Code hat nicht die richtige Form.')
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
    say('This link is no longer valid', 'Der Link gilt nicht mehr'),
    say(
      'It has expired, was used, or the account has changed. Request a new one.',
      'Er ist abgelaufen, wurde benutzt, oder das Konto hat sich seitdem geändert. Fordern Sie einen neuen an.',
    ),
  )
}

/** The link proves nothing: the user accepts after signing in, here in the console, if it is not switched off. */
async function endOrganizationInvitation() {
  end(
    say('You are invited to an organization', 'Sie sind in eine Organisation eingeladen'),
    say(
      'Sign in with the email that the invitation was sent to. Then you can accept or decline.',
      'Melden Sie sich mit der Adresse an, an die die Einladung ging. Dann können Sie annehmen oder ablehnen.',
    ),
  )
  const answer = await fetch('/console/sign-in-options').catch(() => undefined)
  if (!answer?.ok) return
  const link = document.createElement('a')
  link.href = '/#/organizations'
  link.textContent = say('Sign in', 'Anmelden')
  el('status').append(' ', link)
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
