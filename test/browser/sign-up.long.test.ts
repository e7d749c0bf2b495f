import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, type StaticSite, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { type MailServer, type MailWork, mailSettings, mailWorkOf, startMailServer } from '../support/mail-server.ts'
import type { Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { listedOrigin, runInApp, serveApp, serviceOrigin } from './app-page.ts'

const email = 'grace@new.example'
const password = 'seventeen small turtles'

describe.skipIf(isWithoutBrowser)('a sign-up by mail, in Chromium', () => {
  let server: MailServer
  let service: Service
  let work: MailWork
  let app: StaticSite
  let chromium: Chromium
  beforeAll(async () => {
    server = await startMailServer()
    service = await startIssuer({
      env: {
        ...mailSettings(server),
        MUSTER_PUBLIC_URL: serviceOrigin,
        MUSTER_ALLOWED_ORIGINS: listedOrigin,
        MUSTER_SIGN_UP: 'open',
      },
    })
    work = await mailWorkOf(service)
    app = await serveApp()
    chromium = await startChromium({ [serviceOrigin]: service.url, [listedOrigin]: app.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await app?.close()
    work?.close()
    await service?.stop()
    await server?.stop()
  })

  interface Tokens {
    readonly access_token: string
  }

  /** Signs in to the product, and loads its first page. */
  async function signIn(page: Page): Promise<{ token: string; isFirstLogin: unknown }> {
    const { status, body } = await runInApp(page, 'call', 'POST', '/auth/sign-in', { body: { email, password } })
    expect(status).toBe(200)
    const { access_token: token } = body as Tokens
    const data = await runInApp(page, 'call', 'GET', '/api/v1/user/data', { token })
    return { token, isFirstLogin: Object(data.body).isFirstLogin }
  }

  test('opens no session on the page behind the link, so that the first sign-in to the product is the first login', async () => {
    const page = await chromium.newPage()
    await page.goto(listedOrigin)
    expect(await runInApp(page, 'call', 'POST', '/auth/sign-up', { body: { email } })).toMatchObject({ status: 202 })
    await work.run()
    const [, link = ''] = /(http:\S+#token=\S+)/.exec(server.received[0]?.mail.text ?? '') ?? []
    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Your account is ready' }).waitFor()
    expect(await service.sql('select from session')).toEqual([])

    await page.goto(listedOrigin)
    const first = await signIn(page)
    expect(first.isFirstLogin).toBe(true)
    expect(await runInApp(page, 'call', 'POST', '/auth/sign-out', { token: first.token })).toMatchObject({
      status: 204,
    })
    expect((await signIn(page)).isFirstLogin).toBe(false)
    await work.run()
    expect(server.received.map(({ mail }) => mail.subject)).toEqual(['Finish your sign-up to localhost:4600'])
  })
})
