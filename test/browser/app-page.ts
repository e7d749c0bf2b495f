import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { type StaticSite, serveStatic } from '../support/browser.ts'

/** The address of the service in the browser. */
export const serviceOrigin = 'http://localhost:4600'
/** Addresses of the application. The names say which settings of the service list them. */
export const listedOrigin = 'http://localhost:5173'
export const unlistedOrigin = 'http://localhost:5174'

const script = readFileSync(new URL('app-page.js', import.meta.url), 'utf8')
const html = '<!doctype html><html lang="en"><title>Application</title>'

/** The application, with more files by their paths. The page has a script for each of them. */
export function serveApp(scripts: Readonly<Record<string, string>> = {}): Promise<StaticSite> {
  const all = { '/app.js': script, ...scripts }
  const tags = Object.keys(all).map((path) => `<script type="module" src="${path}"></script>`)
  return serveStatic(serviceOrigin, {
    '/': ['text/html', html + tags.join('')],
    '/favicon.ico': ['image/x-icon', ''],
    ...Object.fromEntries(Object.entries(all).map(([path, text]) => [path, ['text/javascript', text] as const])),
  })
}

export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Runs a function of `app-page.js` in the page. */
export function runInApp<Result = PageAnswer>(page: Page, name: string, ...values: unknown[]): Promise<Result> {
  return page.evaluate(`app.${name}(...${JSON.stringify(values)})`)
}

/** An authenticator that the computer has built in, whose user agrees to everything. */
export async function plugInAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
