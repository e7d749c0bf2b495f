import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleFolder, makeConsoleFolder } from '../../support/console-folder.ts'
import { serviceForTest } from '../../support/service.ts'

let folder: ConsoleFolder
beforeAll(() => {
  folder = makeConsoleFolder()
})
afterAll(() => folder.remove())

const hidden = { issuer: 'https://hidden.example', algorithms: ['RS256'], audience: 'api' }
const shown = {
  issuer: 'https://idp.example/tenant',
  algorithms: ['RS256'],
  audience: 'api',
  stepUp: { acr: { gold: 'aal2' } },
  console: { clientId: 'muster', title: 'Example Ltd', origins: ['https://token.example'] },
}
const env = { MUSTER_ISSUERS: JSON.stringify([hidden, shown]) }
const open = (more: Record<string, string> = {}) =>
  serviceForTest({ env: { ...env, ...more }, consoleFolder: folder.path })

test('200 — the ways to sign in: an issuer is offered where its entry says so, and nothing else of it is shown', async () => {
  const service = await open()
  const answer = await service.get('/console/sign-in-options')
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      builtIn: true,
      issuers: [
        {
          issuer: 'https://idp.example/tenant',
          title: 'Example Ltd',
          clientId: 'muster',
          scopes: ['openid'],
          parameters: {},
          acrValues: ['gold'],
        },
      ],
    },
  ])
})

test('200 — without the built-in issuer', async () => {
  const service = await open({ MUSTER_BUILT_IN_ISSUER: 'false' })
  expect((await service.get('/console/sign-in-options')).body).toMatchObject({ builtIn: false, issuers: [{}] })
})

test('404 — without the console', async () => {
  const service = await open({ MUSTER_CONSOLE: 'false' })
  expect((await service.get('/console/sign-in-options')).status).toBe(404)
})

test('the page may call the origins of these issuers beside its own, and no other', async () => {
  const service = await open()
  const { headers } = await service.get('/')
  expect(headers['content-security-policy']).toContain(
    "; connect-src 'self' https://idp.example https://token.example; ",
  )
})

test('200 — the page is sent for any query, with which an issuer sends the browser back; the log has none of it', async () => {
  const service = await open()
  const answer = await service.get('/?code=the-code&state=the-state&iss=https%3A%2F%2Fidp.example&session_state=a')
  expect(answer.status).toBe(200)
  expect(await service.logged()).not.toMatch(/the-code|the-state/)
})
