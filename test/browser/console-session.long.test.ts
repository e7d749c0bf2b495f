import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Chromium, type StaticSite, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { type ConsoleFolder, makeConsoleFolder } from '../support/console-folder.ts'
import type { Service } from '../support/service.ts'
import { newClient, startIssuer } from '../support/test-client.ts'
import { listedOrigin, serveApp, serviceOrigin } from './app-page.ts'

const page = '<!doctype html>\n<html lang="en"><title>Console</title><link rel="icon" href="data:,"></html>\n'

describe.skipIf(isWithoutBrowser)('the session of the console, in Chromium', () => {
  let service: Service
  let folder: ConsoleFolder
  let app: StaticSite
  let chromium: Chromium
  beforeAll(async () => {
    folder = makeConsoleFolder({ 'index.html': page })
    service = await startIssuer({ consoleFolder: folder.path, env: { MUSTER_PUBLIC_URL: serviceOrigin } })
    app = await serveApp()
    chromium = await startChromium({ [serviceOrigin]: service.url, [listedOrigin]: app.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await app?.close()
    await service?.stop()
    folder?.remove()
  })

  async function refreshToken(): Promise<string> {
    return (await newClient(service).openSession(await service.person())).refresh
  }

  /** What a script of the page gets of `/console/session`, and what it sees of the cookies. */
  function ask(at: Page, method: string, body?: object): Promise<unknown> {
    const init = {
      method,
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    }
    return at.evaluate(`fetch('/console/session', ${JSON.stringify(init)}).then(async (answer) => ({
      status: answer.status, members: answer.status === 200 ? Object.keys(await answer.json()) : [], seen: document.cookie }))`)
  }

  const granted = { status: 200, members: ['access_token', 'token_type', 'expires_in'], seen: '' }
  const nothing = { status: 204, members: [], seen: '' }

  test('a page keeps its session over a reload, by a cookie that it cannot read, until it signs out', async () => {
    const at = await chromium.newPage()
    await at.goto(`${serviceOrigin}/`)
    expect(await ask(at, 'POST')).toEqual(nothing)
    expect(await ask(at, 'PUT', { refresh_token: await refreshToken() })).toEqual(granted)
    await at.reload()
    expect(await ask(at, 'POST')).toEqual(granted)
    expect(await at.context().cookies()).toMatchObject([
      { name: 'muster-session', path: '/console/session', httpOnly: true, sameSite: 'Strict' },
    ])
    expect(await ask(at, 'DELETE')).toEqual(nothing)
    expect(await at.context().cookies()).toEqual([])
    expect(await ask(at, 'POST')).toEqual(nothing)
  })

  test('a page on another port of the same machine, which is of the same site, does not use it', async () => {
    const at = await chromium.newPage()
    await at.goto(`${serviceOrigin}/`)
    await ask(at, 'PUT', { refresh_token: await refreshToken() })
    const before = await at.context().cookies()
    const other = await at.context().newPage()
    await other.goto(`${listedOrigin}/`)
    const answered = at.context().waitForEvent('response', (response) => response.url().endsWith('/console/session'))
    await other.evaluate(
      `fetch('${serviceOrigin}/console/session', { method: 'POST', mode: 'no-cors', credentials: 'include' }).then(() => 'sent')`,
    )
    expect((await answered).status()).toBe(403)
    expect(await at.context().cookies()).toEqual(before)
  })
})
