import { afterAll, beforeAll, expect, test } from 'vitest'
import { invitationFor } from '../../../support/operator.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { newClient, startIssuer, tokensOf } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer({ env: { MUSTER_SIGN_UP: 'invitation' } })
})
afterAll(() => service.stop())

const password = 'seventeen small turtles'
const redeem = (email: string, invitation: string) =>
  newClient(service).post('/auth/sign-up', { email, password, invitation })

const invite = (email: string) => invitationFor(service, email)

const invitationsTo = (email: string) =>
  service.sql('select used_at is not null as used from sign_up_invitation where email = $1 order by used', [email])

test('inviting again replaces only the unused invitation to the same email', async () => {
  const [email, other] = ['ada@example.com', 'grace@example.com']
  const ofOther = await invite(other)
  tokensOf(await redeem(email, await invite(email)))
  await service.sql('delete from account where email = $1', [email])
  const [second, third] = [await invite(email), await invite(email)]
  expect(await invitationsTo(email)).toEqual([{ used: false }, { used: true }])
  expect(problemOf(await redeem(email, second))).toEqual({ status: 403, code: 'sign_up_refused' })
  tokensOf(await redeem(email, third))
  expect(await invitationsTo(email)).toEqual([{ used: true }, { used: true }])
  tokensOf(await redeem(other, ofOther))
})
