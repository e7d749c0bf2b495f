import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, type StaticSite, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import type { Service } from '../support/service.ts'
import { startIssuer, tokensOf } from '../support/test-client.ts'
import {
  listedOrigin,
  type PageAnswer,
  plugInAuthenticator,
  runInApp,
  serveApp,
  serviceOrigin,
  unlistedOrigin,
} from './app-page.ts'

describe.skipIf(isWithoutBrowser)('a passkey in Chromium', () => {
  let service: Service
  let app: StaticSite
  let chromium: Chromium
  beforeAll(async () => {
    service = await startIssuer({
      env: {
        MUSTER_PUBLIC_URL: serviceOrigin,
        MUSTER_WEBAUTHN_RP_ID: 'localhost',
        MUSTER_WEBAUTHN_ORIGINS: listedOrigin,
        // Both pages may read answers. So what is refused is not refused by the browser.
        MUSTER_ALLOWED_ORIGINS: `${listedOrigin}, ${unlistedOrigin}`,
      },
    })
    app = await serveApp()
    chromium = await startChromium({
      [serviceOrigin]: service.url,
      [listedOrigin]: app.url,
      [unlistedOrigin]: app.url,
    })
  })
  afterAll(async () => {
    await chromium?.close()
    await app?.close()
    await service?.stop()
  })

  async function openApp(expected: readonly RegExp[] = []) {
    const page = await chromium.newPage({ expected })
    await page.goto(listedOrigin)
    await plugInAuthenticator(page)
    return page
  }

  const claimsOf = (answer: PageAnswer) => decodeJwt(tokensOf({ ...answer, text: JSON.stringify(answer.body) }).access)

  test.each([
    ['of the kind that the browser chooses', undefined],
    ['by ES256', [-7]],
    ['by RS256', [-257]],
  ])('is made on the page of a listed origin, and opens a session of two factors there: %s', async (_, algorithms) => {
    const person = await service.person()
    const page = await openApp()
    const added = await runInApp<PageAnswer & { readonly algorithm: number }>(
      page,
      'addPasskey',
      person.token,
      algorithms,
    )
    expect(added, JSON.stringify(added)).toMatchObject({ status: 201, body: { type: 'passkey' } })
    expect(algorithms ?? [-8, -7, -257]).toContain(added.algorithm)
    const claims = claimsOf(await runInApp(page, 'signInByPasskey'))
    expect(claims).toMatchObject({ sub: person.id, acr: 'urn:muster:aal2', amr: ['pop', 'user', 'mfa'] })
  })

  test('is the second factor after the password', async () => {
    const person = await service.person()
    const page = await openApp()
    await runInApp(page, 'addPasskey', person.token)
    const answer = await runInApp(page, 'signInByPasswordAndPasskey', person.email, person.password)
    expect(claimsOf(answer)).toMatchObject({ sub: person.id, acr: 'urn:muster:aal2', amr: ['pwd', 'pop', 'mfa'] })
  })

  test('is neither made nor used on the page of an origin that is not listed, even if the browser allows it', async () => {
    const person = await service.person()
    const page = await openApp([/status of 401/, /status of 400/])
    await runInApp(page, 'addPasskey', person.token)
    await page.goto(unlistedOrigin)
    const signedIn = await runInApp(page, 'signInByPasskey')
    expect(signedIn).toMatchObject({ status: 401, body: { code: 'passkey_refused' } })
    await page.goto(listedOrigin)
    expect(claimsOf(await runInApp(page, 'signInByPasskey'))).toMatchObject({ sub: person.id })

    await page.goto(unlistedOrigin)
    // The authenticator makes no second one for the same account.
    const other = await service.person()
    const added = await runInApp(page, 'addPasskey', other.token)
    expect(added).toMatchObject({ status: 400, body: { code: 'passkey_invalid' } })
  })
})
