import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdRows } from '../../../support/blocked.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { challengeFor, enrol, newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

test('a session that ends while its password is verified is not stepped up: 401 session_ended', async () => {
  const { id, token, password } = await service.person()
  const held = await holdRows(service.fresh, [['update session set ended_at = now() where account_id = $1', [id]]])
  const steppedUp = newClient(service).post('/auth/step-up', { password }, token)
  await held.commitOnce(steppedUp)
  expect(problemOf(await steppedUp)).toEqual({ status: 401, code: 'session_ended' })
  const events = `select from audit_event where action = 'session.stepped_up' and actor_id = $1`
  expect(await service.sql(events, [id])).toEqual([])
})

test('a recovery code that is consumed concurrently opens no session: 403 code_refused', async () => {
  const person = await service.person()
  const { recoveryCodes } = await enrol(service, person.token, { password: person.password })
  const challenge = await challengeFor(newClient(service), person)
  const sessions = () => service.sql('select id from session where account_id = $1', [person.id])
  const before = await sessions()
  const held = await holdRows(service.fresh, [['delete from recovery_code where account_id = $1', [person.id]]])
  const shown = newClient(service).post('/auth/sign-in/second-step', { challenge, recoveryCode: recoveryCodes[0] })
  await held.commitOnce(shown)
  expect(problemOf(await shown)).toEqual({ status: 403, code: 'code_refused' })
  expect(await sessions()).toEqual(before)
})

test('a challenge that ends while its second step is verified opens no session: 401 challenge_invalid', async () => {
  const person = await service.person()
  const { recoveryCodes } = await enrol(service, person.token, { password: person.password })
  const challenge = await challengeFor(newClient(service), person)
  const sessions = () => service.sql('select id from session where account_id = $1', [person.id])
  const before = await sessions()
  const held = await holdRows(service.fresh, [
    ['select from recovery_code where account_id = $1 for update', [person.id]],
  ])
  const shown = newClient(service).post('/auth/sign-in/second-step', { challenge, recoveryCode: recoveryCodes[0] })
  await held.blocks(shown)
  await service.sql('delete from sign_in_challenge where account_id = $1', [person.id])
  await held.commitOnce(shown)
  expect(problemOf(await shown)).toEqual({ status: 401, code: 'challenge_invalid' })
  expect(await sessions()).toEqual(before)
})
