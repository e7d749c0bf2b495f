import { importJWK, type JWTVerifyGetKey } from 'jose'
import { expect, test } from 'vitest'
import { createAuthenticate } from '../../src/identity/authenticate.ts'
import { issuerForTest } from '../support/issuer.ts'

test('verifies a token again after a minute, so that a withdrawn key stops working', async () => {
  const issuer = await issuerForTest()
  const start = Date.now()
  let nowMs = start
  let verified = 0
  const keys: JWTVerifyGetKey = async () => {
    verified += 1
    const [key] = issuer.keys
    if (!key) throw new Error('the key was withdrawn')
    return importJWK(key.publicJwk)
  }
  const entry = {
    ...{ issuer: issuer.name, identityIssuer: issuer.name, keys, algorithms: ['ES256'], audience: ['muster-api'] },
    claims: { subject: 'sub', email: 'email', emailVerified: 'email_verified', name: 'name' },
    ...{ lifetimeMaxSeconds: 3_600, isBuiltIn: false, trustsEmail: false, provisions: false, refusesIdTokens: false },
  }
  const authenticate = createAuthenticate(new Map([[issuer.name, entry]]), () => nowMs)
  const header = ['authorization', `Bearer ${await issuer.mint()}`]
  expect(await authenticate(header)).toMatchObject({ subject: 'ada' })
  nowMs = start + 59_999
  expect(authenticate(header)).toMatchObject({ subject: 'ada' })
  expect(verified).toBe(1)
  issuer.keys = []
  nowMs = start + 60_000
  await expect(authenticate(header)).rejects.toMatchObject({ code: 'token_invalid' })
})
