import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMuster } from '../../../cli/run-muster.ts'
import { mailServerForTest, mailSettings } from '../../../support/mail-server.ts'
import { problemOf } from '../../../support/problem.ts'
import { type Service, serviceForTest } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

const env = { MUSTER_SIGN_UP: 'open', MUSTER_ENCRYPTION_KEY: randomBytes(32).toString('base64') }
const password = 'seventeen small turtles'
let service: Service

beforeAll(async () => {
  service = await startIssuer({ env })
})
afterAll(() => service.stop())

const signUp = (body: object) => newClient(service).post('/auth/sign-up', { password, ...body })

async function invite(email: string, name: string): Promise<string> {
  const args = ['users', 'invite', '--email', email, '--name', name]
  return (await runMuster(args, { env: { ...env, DATABASE_URL: service.fresh.url } })).stdout.trim()
}

test('an open sign-up sets the name, which is in the first token', async () => {
  const { access } = tokensOf(await signUp({ email: 'ada@example.com', displayName: ' Ada ' }))
  expect(decodeJwt(access)).toMatchObject({ name: 'Ada' })
})

test('an invitation sets the name, unless the user chooses another one', async () => {
  const grace = await invite('grace@example.com', 'Grace Hopper')
  const one = tokensOf(await signUp({ email: 'grace@example.com', invitation: grace }))
  expect(decodeJwt(one.access)).toMatchObject({ name: 'Grace Hopper' })
  const invitation = await invite('mary@example.com', 'Mary Somerville')
  const other = tokensOf(await signUp({ email: 'mary@example.com', invitation, displayName: 'Mary' }))
  expect(decodeJwt(other.access)).toMatchObject({ name: 'Mary' })
})

test('400 input_invalid — a name with control characters, and no account is created', async () => {
  const answer = await signUp({ email: 'eve@example.com', displayName: 'Eve\u0007' })
  expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  expect(answer.body).toMatchObject({ errors: [{ pointer: '/displayName' }] })
  expect(await service.sql(`select from account where email = 'eve@example.com'`)).toEqual([])
})

test('400 input_invalid — a name in a request that only mails a link: strangers could have it mailed to anyone', async () => {
  const mailing = await serviceForTest({ env: { ...mailSettings(await mailServerForTest()), MUSTER_SIGN_UP: 'open' } })
  const answer = await mailing.post('/auth/sign-up', { body: { email: 'eve@example.com', displayName: 'Buy now' } })
  expect(problemOf(answer)).toEqual({ status: 400, code: 'input_invalid' })
  expect(answer.body).toMatchObject({
    errors: [{ pointer: '/displayName', detail: 'must be sent with the mailed link' }],
  })
})
