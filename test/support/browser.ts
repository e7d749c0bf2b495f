import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { chromiumPath } from './chromium-path.ts'

/** What is typed into the address bar, and the server that answers there. */
export type Sites = Readonly<Record<string, string>>

export interface Chromium {
  /** A page with storage of its own. See `watch` for what it fails the test for. */
  newPage(options?: PageOptions): Promise<Page>
  close(): Promise<void>
}

export interface PageOptions extends BrowserContextOptions {
  /** Lines of the console that the test brings about itself. Each has to appear. */
  readonly expected?: readonly RegExp[]
}

/** A browser for which `sites` are the only places that there are. */
export async function startChromium(sites: Sites): Promise<Chromium> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error('Chromium is not installed (Debian: apt-get install chromium).')
  const rules = Object.entries(sites).map(([origin, url]) => `MAP ${new URL(origin).host} ${new URL(url).host}`)
  const browser = await chromium.launch({
    executablePath,
    // As root, in containers with little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--host-resolver-rules=${rules.join(',')}`],
  })
  return {
    newPage: (options) => newPage(browser, Object.keys(sites), options),
    close: () => browser.close(),
  }
}

async function newPage(browser: Browser, origins: readonly string[], { expected = [], ...options }: PageOptions = {}) {
  const context = await browser.newContext(options)
  // Conditions are waited for; a busy machine takes its time.
  context.setDefaultTimeout(60_000)
  await context.addInitScript(reportViolations)
  const page = await context.newPage()
  const faults = watch(page, origins)
  onTestFinished(async ({ task }) => {
    const isExpected = (fault: string) => expected.some((pattern) => pattern.test(fault))
    const missing = () => expected.filter((pattern) => !faults.some((fault) => pattern.test(fault)))
    // A test that has failed did not get there.
    if (task.result?.state !== 'fail') await expect.poll(missing).toEqual([])
    await context.close()
    expect(faults.filter((fault) => !isExpected(fault))).toEqual([])
  })
  return page
}

/** Collects errors of the page and in its console, violations of the content security policy, and requests to elsewhere. */
function watch(page: Page, origins: readonly string[]): readonly string[] {
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.context().on('request', (request) => {
    if (!origins.includes(new URL(request.url()).origin)) faults.push(`a request to ${request.url()}`)
  })
  return faults
}

const reportViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('violation of ' + violatedDirective + ' by ' + blockedURI))`

export interface StaticSite {
  readonly url: string
  close(): Promise<void>
}

/** Serves texts by path. The page may load its own files, and call `service`. */
export async function serveStatic(
  service: string,
  files: Readonly<Record<string, readonly [type: string, text: string]>>,
): Promise<StaticSite> {
  const server = createServer((request, response) => {
    const [type, text] = files[request.url ?? ''] ?? []
    const headers = {
      'Content-Type': `${type ?? 'text/plain'}; charset=utf-8`,
      'Content-Security-Policy': `default-src 'self' ${service}`,
    }
    response.writeHead(text === undefined ? 404 : 200, headers).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
