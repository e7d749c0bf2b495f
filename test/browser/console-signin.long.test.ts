import type { Page, Response } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, type PageOptions, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { expectAccessible } from '../support/looks.ts'
import { type Interaction, type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts'
import type { Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { serviceOrigin } from './app-page.ts'

/** Where the built-in issuer is switched off. */
const otherOrigin = 'http://localhost:4601'
const clientId = 'muster-console'
const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds

describe.skipIf(isWithoutBrowser)('sign-in to the console at another issuer, in Chromium', () => {
  let company: OpenIdProvider
  /** Its users have an account only where somebody has linked one. */
  let partner: OpenIdProvider
  let service: Service
  let withoutBuiltIn: Service
  let chromium: Chromium
  /** How long ago the users of the company prove who they are: a minute, unless they are asked to do so again. */
  let provedSecondsAgo = 0
  beforeAll(async () => {
    const configuration = {
      clientBasedCORS: () => true,
      acrValues: ['gold'],
      issueRefreshToken: () => true,
      extraTokenClaims: ({ oidc: { entities } }: { oidc: { entities: Record<string, { authTime?: number }> } }) => ({
        acr: 'gold',
        auth_time: (entities.AuthorizationCode ?? entities.RefreshToken)?.authTime,
      }),
    }
    const options = { clientId, redirectUris: [`${serviceOrigin}/`, `${otherOrigin}/`], configuration }
    company = await startOpenIdProvider({ ...options, interact: (one) => showForm(one, secondsAgo(provedSecondsAgo)) })
    partner = await startOpenIdProvider({ ...options, interact: (one) => showForm(one, secondsAgo(0)) })
    const entryOf = ({ url, api }: OpenIdProvider, title: string) => ({
      issuer: url,
      algorithms: ['RS256'],
      audience: api,
      typ: 'at+jwt',
      stepUp: { acr: { gold: 'aal2' }, authTime: 'auth_time' },
      console: { clientId, title, scopes: ['openid', 'read'], parameters: { resource: api } },
    })
    const companyEntry = entryOf(company, 'Example Ltd')
    const entries = [companyEntry, { ...entryOf(partner, 'Partner'), provisions: false }]
    service = await startIssuer({ env: { MUSTER_PUBLIC_URL: serviceOrigin, MUSTER_ISSUERS: JSON.stringify(entries) } })
    withoutBuiltIn = await startIssuer({
      env: {
        MUSTER_PUBLIC_URL: otherOrigin,
        MUSTER_BUILT_IN_ISSUER: 'false',
        MUSTER_ISSUERS: JSON.stringify([companyEntry]),
      },
    })
    chromium = await startChromium({
      [serviceOrigin]: service.url,
      [otherOrigin]: withoutBuiltIn.url,
      [company.url]: company.url,
      [partner.url]: partner.url,
    })
  })
  afterAll(async () => {
    await chromium?.close()
    await service?.stop()
    await withoutBuiltIn?.stop()
    company?.close()
    partner?.close()
  })

  async function open(path = '/', options: PageOptions = {}, origin = serviceOrigin): Promise<Page> {
    const page = await chromium.newPage({ locale: 'en-GB', ...options })
    await page.goto(`${origin}${path}`)
    return page
  }

  const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
  const atCompany = (page: Page) => press(page, 'Sign in with Example Ltd')
  const isSignedIn = (page: Page) => page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()

  async function signedIn(path = '/', options: PageOptions = {}): Promise<Page> {
    const page = await open(path, options)
    await atCompany(page)
    await page.getByRole('link', { name: 'Ada' }).click()
    await isSignedIn(page)
    return page
  }

  /** The address that the issuer sends the browser back to, which the browser has not opened yet. */
  async function caughtReturn(page: Page): Promise<URL> {
    await atCompany(page)
    const link = page.getByRole('link', { name: 'Ada' })
    let url = new URL((await link.getAttribute('href')) ?? '', company.url)
    while (url.origin === company.url) {
      // With the cookies of the browser.
      const { location } = (await page.context().request.get(url.href, { maxRedirects: 0 })).headers()
      url = new URL(location ?? serviceOrigin, url)
    }
    expect(url.searchParams.has('code'), url.href).toBe(true)
    return url
  }

  const readable = (page: Page) =>
    page.evaluate<string>('document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)')

  test('the user comes back signed in, to the screen that was asked for; no token is stored, and no code stays in the address', async () => {
    const page = await open('/#/organizations')
    const policy = page.waitForResponse((response: Response) => response.url() === `${serviceOrigin}/`)
    await page.reload()
    expect((await (await policy).allHeaders())['content-security-policy']).toContain(
      `connect-src 'self' ${company.url} ${partner.url};`,
    )
    await page.getByLabel('Password').waitFor()
    await atCompany(page)
    await page.getByRole('link', { name: 'Ada' }).click()
    await heading(page, 'Organisations')
    expect(page.url()).toBe(`${serviceOrigin}/#/organizations`)
    expect(
      await service.sql(`select issuer, subject from identity where issuer <> 'urn:muster:built-in'`),
    ).toContainEqual({ issuer: company.url, subject: 'ada' })
    expect(await readable(page)).not.toMatch(/ey[\w-]+\.|code|verifier/i)
    expect((await page.context().cookies()).filter(({ name }) => name.startsWith('muster'))).toEqual([])
    await page.getByRole('link', { name: 'My account' }).click()
    await page.getByText('You sign in with Example Ltd').waitFor()
    expect(await service.logged()).not.toMatch(/[?&]code=/)
  })

  const mismatch = /does not belong to a sign-in that this tab has started/

  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'another')],
    ['the name of another issuer', (url: URL) => url.searchParams.set('iss', 'https://other.example')],
    ['no name of the issuer, which says that it sends one', (url: URL) => url.searchParams.delete('iss')],
  ])('an answer with %s is not accepted', async (_name, change) => {
    const page = await open()
    const url = await caughtReturn(page)
    change(url)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(url.href)
    await page.getByText(mismatch).waitFor()
    expect(asked.filter((one) => one.startsWith(`${company.url}/token`))).toEqual([])
    expect(page.url()).toBe(`${serviceOrigin}/`)
  })

  test('an ID token with another nonce is not accepted', async () => {
    const page = await open()
    const url = await caughtReturn(page)
    await page.route(
      `${serviceOrigin}/`,
      (route) => route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }),
      {
        times: 1,
      },
    )
    await page.goto(`${serviceOrigin}/`)
    await page.evaluate(`sessionStorage.setItem('muster.asked-issuer',
      sessionStorage.getItem('muster.asked-issuer').replace(/"nonce":"[^"]*"/, '"nonce":"another"'))`)
    await page.goto(url.href)
    await page.getByText(mismatch).waitFor()
  })

  test('an answer works once, and only in the tab that has asked', async () => {
    const page = await open()
    const url = await caughtReturn(page)
    const stranger = await open(url.pathname + url.search)
    await stranger.getByText(mismatch).waitFor()
    await page.goto(url.href)
    await isSignedIn(page)
    await page.goto(url.href)
    await page.getByText(mismatch).waitFor()
    expect(await page.getByRole('button', { name: 'Sign out', exact: true }).count()).toBe(0)
  })

  test('a code that the issuer refuses opens nothing, and the page has the word of the issuer', async () => {
    const page = await open('/', { expected: [/status of 400/] })
    const url = await caughtReturn(page)
    url.searchParams.set('code', 'another')
    await page.goto(url.href)
    await page.getByText(/has not completed the sign-in, and says: invalid_grant/).waitFor()
  })

  test('a user who cancels is at the sign-in again, and can try once more', async () => {
    const page = await open()
    await atCompany(page)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByText('Example Ltd says that the sign-in was cancelled or refused').waitFor()
    await atCompany(page)
    await page.getByRole('link', { name: 'Ada' }).click()
    await isSignedIn(page)
  })

  test('an issuer that cannot be reached is named', async () => {
    const page = await open('/', { expected: [/ERR_FAILED/] })
    await page.route(`${company.url}/.well-known/**`, (route) => route.abort())
    await atCompany(page)
    await page.getByText('Example Ltd cannot be reached from this browser').waitFor()
  })

  test('a genuine token without an account opens one screen, which says so', async () => {
    const page = await open('/', { expected: [/status of 403/] })
    await press(page, 'Sign in with Partner')
    await page.getByRole('link', { name: 'Grace' }).click()
    await heading(page, 'There is no account for you here')
    await page.getByText(/^Partner has signed you in/).waitFor()
    await press(page, 'Sign out')
    await heading(page, 'Sign in to Muster')
  })

  test('a token that Muster does not accept is said at the sign-in', async () => {
    const page = await open('/', { expected: [/status of 401/] })
    await page.route(`${company.url}/token`, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), access_token: 'opaque' } })
    })
    await atCompany(page)
    await page.getByRole('link', { name: 'Ada' }).click()
    await page.getByText('Muster does not accept its token').waitFor()
  })

  test('a reload and a new tab ask the issuer again, without a click, and stay at their screen', async () => {
    const page = await signedIn()
    await page.getByRole('link', { name: 'Check a key' }).click()
    await heading(page, 'Check a key')
    await page.reload()
    await heading(page, 'Check a key')
    expect(page.url()).toBe(`${serviceOrigin}/#/keys`)
    const other = await page.context().newPage()
    await other.goto(`${serviceOrigin}/#/me`)
    await heading(other, 'My account')
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
  })

  test('an access token that has expired is replaced by the refresh token of the page', async () => {
    const page = await signedIn('/#/invitation?token=unknown', { expected: [/status of 401/, /status of 404/] })
    const renewed = page.waitForResponse((response) => response.url() === `${company.url}/token`)
    const expired = {
      code: 'token_expired',
      title: 'Expired.',
      status: 401,
      type: 'about:blank',
      instance: 'urn:uuid:1',
    }
    await page.route(
      `${serviceOrigin}/api/v1/orgs/accept-invitation`,
      (route) => route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify(expired) }),
      { times: 1 },
    )
    await press(page, 'Join the organisation')
    expect((await renewed).request().postData()).toContain('grant_type=refresh_token')
    await heading(page, 'The invitation is not valid any more')
  })

  test('signing out in one tab ends both, gives the refresh token back, and offers to end the session at the issuer', async () => {
    const page = await signedIn('/#/me')
    const other = await page.context().newPage()
    await other.goto(`${serviceOrigin}/#/me`)
    await heading(other, 'My account')
    const revoked = page.waitForResponse((response) => response.url() === `${company.url}/token/revocation`)
    await press(page, 'Sign out')
    expect((await revoked).status()).toBe(200)
    for (const tab of [page, other]) {
      await heading(tab, 'Sign in to Muster')
      await tab.reload()
      await heading(tab, 'Sign in to Muster')
      await tab.getByLabel('Password').waitFor()
    }
    await signInAgainAndLeave(page)
    await atCompany(page)
    await page.getByRole('link', { name: 'Ada' }).waitFor()
  })

  /** Without the form, because the issuer still knows its user; then ends the session there as well. */
  async function signInAgainAndLeave(page: Page): Promise<void> {
    await atCompany(page)
    await isSignedIn(page)
    await press(page, 'Sign out')
    await page.getByRole('link', { name: 'Sign out of Example Ltd too' }).click()
    await page.waitForURL(`${company.url}/**`)
    await page.getByRole('button', { name: /yes/i }).click()
    await page.waitForURL(`${company.url}/session/end/success**`)
    await page.goto(`${serviceOrigin}/`)
  }

  test('an operation that needs a fresh proof sends the user to the issuer, and works after it', async () => {
    const { id, email } = await service.person()
    await service.sql(
      `insert into identity (issuer, subject, account_id) select $1, 'root', id from account where email = $2`,
      [company.url, (await service.person({ role: 'admin' })).email],
    )
    provedSecondsAgo = 7_200
    const page = await open(`/#/users/${id}`, { expected: [/status of 401/] })
    await atCompany(page)
    await page.getByRole('link', { name: 'Root' }).click()
    await heading(page, email)
    provedSecondsAgo = 0
    await press(page, 'Give a recovery link')
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in again with Example Ltd' }).click()
    await page.getByRole('link', { name: 'Root' }).click()
    await heading(page, email)
    await press(page, 'Give a recovery link')
    await page.getByText('It is shown once').waitFor()
  })

  test('without the built-in issuer there is no form for a password, and no call to its session', async () => {
    const page = await open('/', {}, otherOrigin)
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    await atCompany(page)
    await page.getByRole('link', { name: 'Ada' }).click()
    await isSignedIn(page)
    await page.reload()
    await isSignedIn(page)
    await press(page, 'Sign out')
    await page.getByText('You are signed out of Muster.').waitFor()
    expect(await page.locator('input').count()).toBe(0)
    expect(paths).not.toContain('/console/session')
  })

  test.each([
    ['light', 'en-GB'],
    ['dark', 'de-DE'],
  ] as const)(
    'in %s, %s: the sign-in and its faults have no fault that axe finds, also at 320 pixels',
    async (colorScheme, locale) => {
      const page = await open('/', { colorScheme, locale, expected: [/ERR_FAILED/] })
      const issuerButton = page.getByRole('button', { name: /Example Ltd/ })
      await issuerButton.waitFor()
      await expectAccessible(page, `signin-both-${colorScheme}`)
      await page.route(`${company.url}/.well-known/**`, (route) => route.abort())
      await issuerButton.click()
      await page.getByRole('alert').waitFor()
      await expectAccessible(page, `signin-unreachable-${colorScheme}`)
      await page.unrouteAll()
      await page.goto(`${otherOrigin}/`)
      await issuerButton.click()
      await page.getByRole('link', { name: 'Ada' }).click()
      await page.getByRole('button', { name: /^(Sign out|Abmelden)$/ }).click()
      await page.getByRole('status').getByRole('link').waitFor()
      await expectAccessible(page, `signin-left-${colorScheme}`)
    },
  )
})

/** The page of the issuer: a link for each user, and one for those who change their mind. */
function showForm({ request, response, finish }: Interaction, ts: number): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://issuer.example')
  const choice = searchParams.get('choice')
  if (choice === 'cancel') finish({ error: 'access_denied', error_description: 'The user has cancelled.' })
  else if (choice !== null) finish({ login: { accountId: choice, ts } })
  else
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en"><title>Issuer</title>
    <link rel="icon" href="data:,"><h1>Sign in</h1><a href="${pathname}?choice=ada">Ada</a>
    <a href="${pathname}?choice=grace">Grace</a> <a href="${pathname}?choice=root">Root</a> <a href="${pathname}?choice=cancel">Cancel</a>`)
}
