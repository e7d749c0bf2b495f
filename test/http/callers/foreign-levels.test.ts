import { expect, test } from 'vitest'
import { issuerForTest } from '../../support/issuer.ts'
import { problemOf } from '../../support/problem.ts'
import { type Answer, serviceForTest } from '../../support/service.ts'

const elsewhere = '0197b2a4-6d01-7112-bb8a-3f5d1c0a8e55'
const allowed = { status: 404, code: 'user_unknown' }
const stepUp = { status: 401, code: 'step_up_required' }

/** A service where an administrator of another issuer changes a role with a token with these claims. */
async function administratorWith(stepUpClaims?: object) {
  const issuer = await issuerForTest()
  const entry = { issuer: issuer.name, algorithms: ['ES256'], audience: 'muster-api', claims: { session: 'sid' } }
  const service = await serviceForTest({
    env: { MUSTER_ISSUERS: JSON.stringify([{ ...entry, ...(stepUpClaims && { stepUp: stepUpClaims }) }]) },
  })
  const mint = (claims: object) => issuer.mint({ sub: 'ada', sid: 's', ...claims }, { now: service.clock.now() })
  await service.get('/api/v1/user/data', { token: await mint({}) })
  await service.sql(`update account set role_id = 'admin'`)
  const changeRole = async (claims: object): Promise<Answer> =>
    service.call('PUT', `/api/v1/admin/users/${elsewhere}/role`, { token: await mint(claims), body: { role: 'user' } })
  const read = async (claims: object) => service.get('/api/v1/user/data', { token: await mint(claims) })
  return { service, changeRole, read }
}

const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds

test('does not lock out administrators of an issuer that maps no level, however old their sign-in is', async () => {
  const { changeRole } = await administratorWith()
  expect(problemOf(await changeRole({}))).toEqual(allowed)
  expect(problemOf(await changeRole({ auth_time: secondsAgo(86_400) }))).toEqual(allowed)
})

test('counts a second factor at another issuer if the entry maps it, for each token separately', async () => {
  const mapped = await administratorWith({ acr: { gold: 'aal2' }, amr: ['otp', 'hwk'] })
  const unmapped = await administratorWith()
  for (const { service } of [mapped, unmapped])
    await service.sql(`update role set requires_mfa = true where id = 'admin'`)
  const strong = [{ acr: 'gold' }, { amr: ['pwd', 'otp'] }, { amr: [{ method: 'hwk', timestamp: 1 }] }]
  const weak = [{}, { acr: 'silver' }, { amr: ['pwd'] }, { amr: 'otp' }]
  for (const claims of [...strong, ...weak]) {
    const { body } = await mapped.read(claims)
    const place = JSON.stringify(claims)
    if (strong.includes(claims as never)) expect(body, place).toHaveProperty('permissions.users')
    else expect(body, place).not.toHaveProperty('permissions.users')
    expect((await unmapped.read(claims)).body, place).not.toHaveProperty('permissions.users')
  }
})

test('reads the level from a claim with another name, as at Supabase Auth', async () => {
  const { service, read } = await administratorWith({ acrClaim: 'aal', acr: { aal2: 'aal2' } })
  await service.sql(`update role set requires_mfa = true where id = 'admin'`)
  expect((await read({ aal: 'aal1' })).body).not.toHaveProperty('permissions.users')
  expect((await read({ aal: 'aal2' })).body).toHaveProperty('permissions.users')
})

test('enforces the time of authentication if the entry names its claim', async () => {
  const { changeRole } = await administratorWith({ authTime: 'auth_time' })
  expect(problemOf(await changeRole({ auth_time: secondsAgo(840) }))).toEqual(allowed)
  expect(problemOf(await changeRole({ auth_time: secondsAgo(960) }))).toEqual(stepUp)
  // Missing, not a number, or in the future (such as milliseconds).
  for (const auth_time of [undefined, 'now', Date.now()])
    expect(problemOf(await changeRole({ auth_time })), String(auth_time)).toEqual(stepUp)
})
