import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { chargeLimit, signInLimits } from '../../../support/sign-in-limits.ts'
import { newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

/** A device after `failures` wrong passwords of its own, and 60 from elsewhere in a new network. */
async function deviceAfter(own: { failures: number; attempts: number }) {
  const person = await service.person()
  const { device } = await newClient(service).openSession(person)
  await service.sql('delete from sign_in_bucket')
  await chargeLimit(service, signInLimits.unknownDevices(person.email), { attempts: 0, failures: 60 })
  await chargeLimit(service, signInLimits.device(device), own)
  const answer = await newClient(service).signIn(person.email, 'wrong horse', { device_token: device })
  expect(problemOf(answer)).toEqual({ status: 401, code: 'sign_in_refused' })
  return service.sql('select from device where account_id = $1', [person.id])
}

test('revokes a device after fifty wrong passwords of its own', async () => {
  expect(await deviceAfter({ failures: 48, attempts: 0 })).toHaveLength(1)
  expect(await deviceAfter({ failures: 49, attempts: 0 })).toEqual([])
})

test('keeps a device after wrong passwords from elsewhere, even if its own limit is exhausted', async () => {
  expect(await deviceAfter({ failures: 10, attempts: 10 })).toHaveLength(1)
})
