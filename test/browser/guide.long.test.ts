import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, pages } from '../../docs/navigation.ts'
import { builtGuideFolder } from '../../src/api-docs/guide-files.ts'
import { runTool } from '../../tools/run.ts'
import { axeFaults } from '../support/axe.ts'
import { type Chromium, type PageOptions, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { type Service, startService } from '../support/service.ts'
import { serviceOrigin } from './app-page.ts'

runTool('vitepress', ['build', 'tools'])
const folder = builtGuideFolder()
const base = '/docs/guide/'
const built = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const htmlOf = (page: string) => readFileSync(join(folder, `${addressOf(page) || 'index'}.html`), 'utf8')

describe('the built documentation', () => {
  test('has the pages of its navigation and no other', () => {
    const expected = ['404', ...pages.map((page) => addressOf(page) || 'index')].map((address) => `${address}.html`)
    expect(built.filter((name) => name.endsWith('.html')).sort()).toEqual(expected.sort())
  })

  test.each(pages)(
    '%s: no inline script or style, nothing from elsewhere, and every link and anchor leads somewhere',
    (page) => {
      const html = htmlOf(page)
      expect(html).not.toMatch(/<script(?![^>]* src=)|<style|<[^>]+ style="|<[^>]+ on\w+="/)
      for (const [, source = ''] of html.matchAll(/<(?:script|link|img)\b[^>]* (?:src|href)="([^"]+)"/g)) {
        if (source.startsWith('data:image/')) continue
        expect(source.startsWith(base), source).toBe(true)
        expect(built, source).toContain(source.slice(base.length))
      }
      for (const [, link = ''] of html.matchAll(/<a\b[^>]* href="([^"]+)"/g)) expectToLead(page, link)
    },
  )

  test('a page loads at most 90 kB of scripts, compressed, not counting the search index', () => {
    const html = htmlOf('docs/start.md')
    const loaded = built.filter((name) => name.endsWith('.js') && html.includes(name))
    const sizes = loaded.map((name) => brotliCompressSync(readFileSync(join(folder, name))).length)
    expect(loaded.length).toBeGreaterThan(3)
    expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(90_000)
    expect(html).not.toContain('localSearchIndex')
  })
})

const served = ['/', '/docs', '/openapi.json']
const addresses = new Map(pages.map((page) => [`${base}${addressOf(page)}`, page]))

function expectToLead(page: string, link: string): void {
  const url = new URL(link, `http://site${base}${addressOf(page)}`)
  if (url.origin !== 'http://site' || served.includes(url.pathname)) return
  const address = url.pathname.slice(base.length)
  if (address.startsWith('files/') && built.includes(address)) return
  const target = addresses.get(url.pathname)
  expect(target, `${page}: ${link}`).toBeDefined()
  if (target && url.hash)
    expect(htmlOf(target), `${page}: ${link}`).toContain(` id="${decodeURIComponent(url.hash.slice(1))}"`)
}

describe.skipIf(isWithoutBrowser)('the documentation, in Chromium', () => {
  let service: Service
  let chromium: Chromium
  beforeAll(async () => {
    service = await startService({ env: { MUSTER_PUBLIC_URL: serviceOrigin, MUSTER_READS_PER_MINUTE: '60000' } })
    chromium = await startChromium({ [serviceOrigin]: service.url })
  })
  afterAll(async () => {
    await chromium?.close()
    await service?.stop()
  })

  async function open(path = '', options: PageOptions = {}): Promise<Page> {
    const page = await chromium.newPage({ locale: 'en-GB', ...options })
    await page.goto(`${serviceOrigin}${base}${path}`)
    return page
  }

  test('every page opens under its policy, without an error and without a request to elsewhere', async () => {
    const page = await open()
    for (const name of pages) {
      await page.goto(`${serviceOrigin}${base}${addressOf(name)}`)
      await started(page)
      expect(await page.locator('.vp-doc h1').count(), name).toBe(1)
    }
  }, 300_000)

  test('a search by the keyboard finds a word and opens its page at the heading', async () => {
    const page = await open()
    await page
      .getByRole('button', { name: /search/i })
      .first()
      .click()
    await page.getByRole('searchbox').fill('pgbouncer')
    await page.locator('.result').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/guide\/[\w/-]+#/)
  })

  test('the type of a problem leads to its heading', async () => {
    const page = await chromium.newPage()
    await page.goto(`${serviceOrigin}/docs/problems.md#rate_limited`)
    expect(page.url()).toBe(`${serviceOrigin}${base}problems#rate_limited`)
    expect(await page.locator(':target').innerText()).toContain('rate_limited')
  })

  test('links lead from the guide to the reference and to the console, and from the reference to the guide', async () => {
    const page = await open('')
    // The first reader waits until it is compressed, and on a busy machine longer than a request may take.
    await expect.poll(async () => (await service.get('/docs/reference.js')).status, { timeout: 60_000 }).toBe(200)
    await page.getByRole('link', { name: 'API reference' }).first().click()
    await page.waitForURL(`${serviceOrigin}/docs`)
    // The reference stays open beside the page.
    const opened = page.waitForEvent('popup')
    await page.locator('a[href^="/docs/guide"]').first().click()
    await (await opened).waitForURL(new RegExp(`${base}`))
  })

  test.each(['light', 'dark'] as const)(
    'in %s colours, axe finds no fault in a sample of pages, and nothing is wider than a narrow window',
    async (colorScheme) => {
      const page = await open('', { colorScheme })
      for (const name of sample) {
        const address = `${serviceOrigin}${base}${addressOf(name)}`
        for (const width of [1_280, 320]) {
          await page.setViewportSize({ width, height: 800 })
          await page.goto(address)
          await started(page)
          await screenshot(page, `${addressOf(name).replace('/', '-') || 'index'}-${colorScheme}-${width}`)
          expect(await axeFaults(page), `${name}, ${width}`).toEqual([])
          expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
        }
      }
    },
  )
})

const sample = [
  'README.md',
  'docs/start.md',
  'docs/choosing.md',
  'docs/signing-in.md',
  'docs/configuration.md',
  'docs/problems.md',
  'docs/providers.md',
  'docs/security/asvs.md',
  'docs/decisions/mail.md',
]

/** The scripts of the page have run. */
async function started(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate('document.querySelector("#app").__vue_app__ !== undefined')).toBe(true)
}

/** For people to look at, in the folder that `MUSTER_TEST_SCREENSHOTS` names. */
async function screenshot(page: Page, name: string): Promise<void> {
  const pictures = process.env.MUSTER_TEST_SCREENSHOTS
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `guide-${name}.png`) })
}
