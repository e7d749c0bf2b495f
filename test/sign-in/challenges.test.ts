import { expect, onTestFinished, test } from 'vitest'
import { consumeChallenge } from '../../src/sign-in/factors/challenges.ts'
import { endAllSessions } from '../../src/sign-in/sessions/sessions.ts'
import { origin, signInOptions } from '../support/passkey-client.ts'
import { storedHash } from '../support/sign-in-limits.ts'
import { challengeFor, enrol, newClient, startIssuer } from '../support/test-client.ts'

test('a challenge that expires while its code is verified is not consumed', async () => {
  const service = await startIssuer()
  onTestFinished(() => service.stop())
  const person = await service.person()
  await enrol(service, person.token, { password: person.password })
  const hash = storedHash(await challengeFor(newClient(service), person))
  await service.sql(`update sign_in_challenge set expires_at = now() where hash = $1`, [hash])
  expect(await consumeChallenge(service.database, hash)).toBe(false)
  await service.sql(`update sign_in_challenge set expires_at = now() + interval '1 hour' where hash = $1`, [hash])
  expect(await consumeChallenge(service.database, hash)).toBe(true)
})

test('ending all sessions invalidates open passkey challenges', async () => {
  const service = await startIssuer({ env: { MUSTER_WEBAUTHN_ORIGINS: origin } })
  onTestFinished(() => service.stop())
  await signInOptions(service)
  await endAllSessions(service.database)
  expect(await service.sql('select from webauthn_challenge')).toEqual([])
})
