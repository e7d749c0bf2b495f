import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { serviceForTest } from '../../../support/service.ts'

const html = readFileSync(new URL('../../../../pages/link.html', import.meta.url), 'utf8')
const script = readFileSync(new URL('../../../../pages/link.js', import.meta.url), 'utf8')

test('the link page, its script and its style load nothing from elsewhere and are never cached', async () => {
  const service = await serviceForTest()
  for (const [path, type, file] of [
    ['/auth/link', 'text/html; charset=utf-8', 'link.html'],
    ['/auth/link/page.js', 'text/javascript; charset=utf-8', 'link.js'],
    ['/auth/link/page.css', 'text/css; charset=utf-8', 'link.css'],
  ]) {
    const { status, headers, text } = await service.get(String(path))
    expect(text).toBe(readFileSync(new URL(`../../../../pages/${file}`, import.meta.url), 'utf8'))
    expect({ path, status, ...headers }).toMatchObject({
      path,
      status: 200,
      'content-type': type,
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
  }
  const paths = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => path)
  expect(paths).toEqual(['/auth/link/page.css', '/auth/link/page.js'])
  // The policy forbids inline code and style.
  expect(html).not.toMatch(/<script>|<style| style=| on[a-z]+=/)
})

test('the link page has the colors and fonts of the console', () => {
  const [tokens, style] = ['console/src/shell/tokens.css', 'pages/link.css'].map((path) =>
    readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8'),
  )
  expect(style).toContain(tokens)
})

test('every field of the link page has a label', () => {
  for (const [, id = ''] of html.matchAll(/<(?:input|select)[^>]* id="([\w-]+)"/g))
    expect(html, id).toMatch(new RegExp(`<label id="[\\w-]+" for="${id}">`))
})

test('the password field is masked, can be revealed, and works with password managers', () => {
  expect(html).toMatch(/<input id="password" type="password" autocomplete="new-password"/)
  expect(html).toMatch(/<input id="email" type="email" autocomplete="username" readonly>/)
  expect(html).toContain('<label id="show-label" for="show">Show the password</label>')
  expect(script).not.toMatch(/paste|innerHTML|insertAdjacentHTML|document\.write/)
})

interface FakeElement {
  textContent: string
  value: string
  hidden: boolean
  readonly options: string[]
  readonly listeners: Map<string, (event: object) => void>
}

/** Runs the script with a fake document. `answers` are the responses of the service, in order. */
function openPage(
  hash: string,
  answers: readonly { readonly ok: boolean; readonly body?: object }[],
  browser: object = {},
) {
  const elements = new Map<string, FakeElement>(
    [...html.matchAll(/ id="([\w-]+)"([^>]*)/g)].map(([, id = '', rest = '']) => [
      id,
      fakeElement(/hidden/.test(rest)),
    ]),
  )
  const sent: { readonly path: string; readonly body: object | undefined }[] = []
  const addresses: string[] = []
  const waiting = [...answers]
  const documentElement = { lang: '' }
  const page = createContext({
    URLSearchParams,
    ...browser,
    location: { hash, pathname: '/auth/link' },
    history: { replaceState: (_state: unknown, _title: string, path: string) => addresses.push(path) },
    document: { title: '', documentElement, getElementById: (id: string) => elements.get(id) },
    Option: FakeOption,
    fetch: async (path: string, { body }: { readonly body?: string } = {}) => {
      sent.push({ path, body: body === undefined ? undefined : JSON.parse(body) })
      const answer = waiting.shift()
      const status = answer?.body === undefined ? 204 : 200
      return { ok: answer?.ok, status, json: async () => answer?.body, headers: { get: () => null } }
    },
  })
  runInContext(script, page)
  const at = (id: string) => elements.get(id) ?? fakeElement(false)
  return {
    at,
    sent,
    addresses,
    documentElement,
    submit: () => at('form').listeners.get('submit')?.({ preventDefault() {} }),
  }
}

class FakeOption {
  readonly text: string
  readonly value: string
  constructor(text: string, value: string) {
    this.text = text
    this.value = value
  }
}

function fakeElement(hidden: boolean) {
  const listeners = new Map<string, (event: object) => void>()
  const options: string[] = []
  return {
    textContent: '',
    value: '',
    hidden,
    options,
    listeners,
    append(option: { readonly value: string }) {
      options.push(option.value)
      if (options.length === 1) this.value = option.value
    },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    setAttribute() {},
    removeAttribute() {},
    focus() {},
  }
}

const good = {
  ok: true,
  body: {
    purpose: 'recovery',
    email: 'ada@example.com',
    needsFactor: true,
    factors: [{ id: 'f1', type: 'totp', friendlyName: 'Phone' }],
  },
}

test('the link of an invitation to an organization sends nothing about it and says what to do next', async () => {
  const page = openPage('#purpose=organization_invitation&invitation=0197b2a4', [{ ok: false }])
  await expect.poll(() => page.at('title').textContent).toBe('You are invited to an organization')
  expect(page.at('status').textContent).toBe(
    'Sign in with the email that the invitation was sent to. Then you can accept or decline.',
  )
  expect(page.at('form').hidden).toBe(true)
  await expect.poll(() => page.sent).toEqual([{ path: '/console/sign-in-options', body: undefined }])
})

test('opening the page only inspects the link: the button sends the password, and the token is in no URL', async () => {
  const page = openPage('#token=mlk_secret&purpose=recovery', [
    good,
    { ok: false, body: { code: 'code_refused', title: 'The code is wrong.' } },
    { ok: true, body: { device_token: 'mdt_x' } },
  ])
  await expect.poll(() => page.at('form').hidden).toBe(false)
  expect(page.sent).toEqual([{ path: '/auth/links/inspect', body: { token: 'mlk_secret' } }])
  expect(page.addresses).toEqual(['/auth/link'])
  expect(page.at('second').hidden).toBe(false)

  page.at('password').value = 'seventeen small turtles'
  page.at('code').value = '123 456'
  page.submit()
  await expect.poll(() => page.at('fault').textContent).toMatch(/^The code is wrong/)
  page.at('factor').value = 'recovery-code'
  page.at('recovery-code').value = 'h4kd-92mf-xq7r-p3wt'
  page.submit()
  await expect.poll(() => page.at('title').textContent).toBe('The password is changed')
  const newPassword = 'seventeen small turtles'
  expect(page.sent.slice(1)).toEqual([
    { path: '/auth/recovery/complete', body: { token: 'mlk_secret', newPassword, factorId: 'f1', code: '123456' } },
    {
      path: '/auth/recovery/complete',
      body: { token: 'mlk_secret', newPassword, recoveryCode: 'h4kd-92mf-xq7r-p3wt' },
    },
  ])
  expect(page.at('form').hidden).toBe(true)
})

test('requests a passkey with new options, only when the button is pressed', async () => {
  const asked: unknown[] = []
  const withPasskey = (challenge: string) => ({
    ok: true,
    body: {
      ...good.body,
      factors: [{ id: 'f2', type: 'passkey', friendlyName: 'Laptop' }],
      passkey: { options: { challenge } },
    },
  })
  const refused = { ok: false, body: { code: 'code_refused', title: 'No.' } }
  const answers = [withPasskey('one'), withPasskey('two'), withPasskey('three'), refused]
  const page = openPage('#token=mlk_secret', answers, {
    PublicKeyCredential: { parseRequestOptionsFromJSON: (options: object) => options },
    navigator: {
      credentials: {
        async get({ publicKey }: { readonly publicKey: unknown }) {
          asked.push(publicKey)
          if (asked.length === 1) throw new Error('The user closed the prompt.')
          return { toJSON: () => ({ id: 'made' }) }
        },
      },
    },
  })
  await expect.poll(() => page.at('form').hidden).toBe(false)
  expect(page.at('factor').options).toEqual(['passkey', 'recovery-code'])
  expect([page.at('code-part').hidden, page.at('recovery-code-part').hidden]).toEqual([true, true])
  expect(asked).toEqual([])
  page.at('password').value = 'seventeen small turtles'
  page.submit()
  await expect.poll(() => page.at('fault').textContent).toMatch(/^The browser returned no passkey/)
  page.submit()
  await expect.poll(() => page.at('fault').textContent).toMatch(/^The passkey was rejected/)
  expect(asked).toEqual([{ challenge: 'two' }, { challenge: 'three' }])
  expect(page.sent.at(-1)?.body).toEqual({
    token: 'mlk_secret',
    newPassword: 'seventeen small turtles',
    credential: { id: 'made' },
  })
})

const noFactor = { needsFactor: false, factors: [] }

test.each([
  ['sign_up', { email: 'ada@example.com' }, 'Choose a password', '/auth/sign-up/confirm', 'Your account is ready'],
  ['invitation', { email: 'ada@example.com' }, 'Choose a password', '/auth/sign-up', 'Your account is ready'],
  ['email_change', { email: 'ada@example.com' }, 'Confirm your email', '/auth/email/confirm', 'The email is confirmed'],
  [
    'email_change_old',
    { email: 'ada@example.com', newEmail: 'ada@new.example', awaitsOther: true },
    'Allow an email change',
    '/auth/email/confirm',
    'One email is confirmed',
  ],
  ['email_undo', { email: 'ada@example.com' }, 'Restore the email', '/auth/email/undo', 'The email is restored'],
])('shows the form of the purpose %s, and only its button uses the link', async (purpose, link, title, path, done) => {
  const takesPassword = purpose === 'sign_up' || purpose === 'invitation'
  const page = openPage('#token=mlk_secret', [{ ok: true, body: { purpose, ...link, ...noFactor } }, { ok: true }])
  await expect.poll(() => page.at('title').textContent).toBe(title)
  expect(page.at('form').hidden).toBe(false)
  expect([page.at('password-part').hidden, page.at('new-email-part').hidden, page.at('second').hidden]).toEqual([
    !takesPassword,
    purpose !== 'email_change_old',
    true,
  ])
  expect(page.at('submit').textContent).not.toBe('')
  page.at('password').value = takesPassword ? 'seventeen small turtles' : ''
  page.submit()
  await expect.poll(() => page.at('title').textContent).toBe(done)
  const shown = purpose === 'invitation' ? { invitation: 'mlk_secret', email: link.email } : { token: 'mlk_secret' }
  const body = { ...shown, ...(takesPassword && { password: 'seventeen small turtles', signIn: false }) }
  expect(page.sent.slice(1)).toEqual([{ path, body }])
})

test('is German if the browser is German, and English otherwise', async () => {
  const answer = { ok: true, body: { purpose: 'email_undo', email: 'ada@example.com', ...noFactor } }
  for (const [language, title] of [
    ['de-AT', 'Adresse zurücksetzen'],
    ['fr', 'Restore the email'],
  ]) {
    const page = openPage('#token=mlk_secret', [answer], { navigator: { language } })
    await expect.poll(() => page.at('title').textContent).toBe(title)
    expect(page.documentElement.lang).toBe(language === 'fr' ? 'en' : 'de')
    expect(page.at('email-label').textContent).toBe(language === 'fr' ? 'Account' : 'Konto')
  }
})

test('explains an invalid link and a missing one, and what to do', async () => {
  const used = openPage('#token=mlk_used', [{ ok: false, body: { code: 'link_invalid' } }])
  await expect.poll(() => used.at('title').textContent).toBe('This link is no longer valid')
  expect(used.at('status').textContent).toContain('Request a new one.')
  const bare = openPage('', [])
  await expect.poll(() => bare.at('title').textContent).toBe('This page needs a link')
  expect(bare.sent).toEqual([])
})
