import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { haproxy, isInstalled, nginx } from '../../scripts/faults/proxies.ts'
import { type RunningProxy, startProxyOf } from '../support/behind-proxy.ts'
import { type Chromium, startChromium } from '../support/browser.ts'
import { isWithoutBrowser } from '../support/chromium-path.ts'
import { consoleAt, heading } from '../support/console.ts'
import type { Person, Service } from '../support/service.ts'
import { startIssuer } from '../support/test-client.ts'
import { serviceOrigin } from './app-page.ts'

describe.each([nginx, haproxy])('the console behind $title that compresses JSON, in Chromium', (proxy) => {
  describe.skipIf(isWithoutBrowser || (!isInstalled(proxy) && !process.env.CI))(
    'with its file in deploy/proxies',
    () => {
      let service: Service
      let running: RunningProxy
      let chromium: Chromium
      let admin: Person
      beforeAll(async () => {
        service = await startIssuer({ env: { MUSTER_PUBLIC_URL: serviceOrigin } })
        running = await startProxyOf(proxy, service.url)
        admin = await service.person({ role: 'admin' })
        chromium = await startChromium({ [serviceOrigin]: running.url })
      })
      afterAll(async () => {
        await chromium?.close()
        await running?.stop()
        await service?.stop()
      })

      const { signedIn } = consoleAt(serviceOrigin, () => chromium)

      async function openUser(options = {}) {
        const { id, email } = await service.person()
        const page = await signedIn(admin, `/#/users/${id}`, options)
        await heading(page, email)
        const status = async () =>
          Object((await service.get(`/api/v1/admin/users/${id}`, { token: admin.token })).body).status
        return { id, page, status }
      }

      test('disables and enables a user', async () => {
        const { page, status } = await openUser()
        await page.getByRole('button', { name: /^Disable/ }).click()
        await page.getByRole('button', { name: /^Enable/ }).waitFor()
        expect(await status()).toBe('disabled')
        await page.getByRole('button', { name: /^Enable/ }).click()
        await page.getByRole('button', { name: /^Disable/ }).waitFor()
        expect(await status()).toBe('active')
      })

      test('says that a proxy removes the ETag, and not that the user was changed', async () => {
        const { id, page, status } = await openUser({ expected: [/status of 428/] })
        const path = `/api/v1/admin/users/${id}`
        const { text: body } = await service.get(path, { token: admin.token })
        await page.route(`**${path}`, (route) => route.fulfill({ contentType: 'application/json', body }))
        await page.reload()
        await page.getByRole('button', { name: /^Disable/ }).click()
        await page.getByText('If the response has no ETag, a proxy removes it.').waitFor()
        expect(await status()).toBe('active')
      })
    },
  )
})
