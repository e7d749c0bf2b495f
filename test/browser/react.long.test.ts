import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Chromium, type StaticSite, serveStatic, startChromium } from '../support/browser.ts'
import { browserBundle } from '../support/browser-bundle.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import type { Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { listedOrigin, serviceOrigin } from './app-page.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/client.md'), 'utf8')
const [, program = ''] = /```tsx\n(.*?)```/s.exec(page) ?? []

test('the program of docs/client.md compiles strictly, against the built packages', () => {
  const folder = folderForTest()
  const path = join(folder, 'program.tsx')
  writeFileSync(path, program)
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    jsx: ts.JsxEmit.ReactJSX,
    allowImportingTsExtensions: true,
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  }
  const faults = ts.getPreEmitDiagnostics(ts.createProgram({ rootNames: [path], options }))
  expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
})

describe.skipIf(isWithoutBrowser)('the program of docs/client.md in Chromium, on another origin,', () => {
  let service: Service
  let app: StaticSite
  let chromium: Chromium
  beforeAll(async () => {
    service = await startIssuer({ env: { MUSTER_PUBLIC_URL: serviceOrigin, MUSTER_ALLOWED_ORIGINS: listedOrigin } })
    const folder = join(root, 'node_modules/.cache/react-page')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'program.tsx'), program)
    app = await serveStatic(serviceOrigin, {
      '/': [
        'text/html',
        '<!doctype html><html lang="en"><title>Account</title><div id="root"></div><script type="module" src="/program.js"></script>',
      ],
      '/program.js': ['text/javascript', await browserBundle(join(folder, 'program.tsx'))],
      '/favicon.ico': ['image/x-icon', ''],
    })
    chromium = await startChromium({ [serviceOrigin]: service.url, [listedOrigin]: app.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await app?.close()
    await service?.stop()
  })

  async function signedIn(expected: readonly RegExp[] = []) {
    const person = await service.person()
    const tab = await chromium.newPage({ expected: [/status of 401/, ...expected] })
    const calls: number[] = []
    tab.on('response', (response) => {
      if (response.url().endsWith('/api/v1/user/data') && response.request().method() === 'GET')
        calls.push(response.status())
    })
    await tab.goto(listedOrigin)
    await tab.getByLabel('Email').fill(person.email)
    await tab.getByLabel('Password').fill(person.password)
    await tab.getByRole('button', { name: 'Sign in' }).click()
    await tab.getByRole('heading', { name: 'Plan: Free' }).waitFor()
    /** Comes back to the page until the text is there: within five seconds nothing is asked for. */
    const lookUntil = async (text: string) => {
      await expect
        .poll(async () => {
          await tab.evaluate(`dispatchEvent(new Event('focus'))`)
          return tab.getByText(text).count()
        })
        .toBe(1)
    }
    return { person, tab, calls, lookUntil }
  }

  test('a person signs in, and what they may do follows their role when the page is looked at again', async () => {
    const { person, tab, calls, lookUntil } = await signedIn()
    expect(await tab.getByText('You may not list users.').count()).toBe(1)
    // One call without a token, and one with it, for two components.
    expect(calls).toEqual([401, 200])
    await service.sql(`update account set role_id = 'admin' where id = $1`, [person.id])
    await lookUntil('All users')
    expect(await tab.getByText('You may not list users.').count()).toBe(0)
  })

  test('a service that cannot be reached ends nothing, and the page says that it may be out of date', async () => {
    const { tab, lookUntil } = await signedIn([/ERR_FAILED/])
    await tab.route(`${serviceOrigin}/**`, (route) => route.abort())
    await lookUntil('This may be out of date.')
    expect(await tab.getByRole('heading', { name: 'Plan: Free' }).count()).toBe(1)
    await tab.unroute(`${serviceOrigin}/**`)
    await expect
      .poll(async () => {
        await tab.evaluate(`dispatchEvent(new Event('online'))`)
        return tab.getByText('This may be out of date.').count()
      })
      .toBe(0)
  })

  test('the page of a disabled account shows nothing of it any more', async () => {
    const { person, tab, lookUntil } = await signedIn()
    await service.sql('update account set disabled_at = now() where id = $1', [person.id])
    await lookUntil('Sign in')
    expect(await tab.getByText('Plan').count()).toBe(0)
  })
})

/** Below the root, where the packages are found by their names. */
function folderForTest(): string {
  const parent = join(root, 'node_modules/.cache')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'react-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** One module for browsers, as an application would ship it. */
