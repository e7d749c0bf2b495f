import { afterAll, beforeAll, expect, test } from 'vitest'
import { opaqueTokenHash } from '../../../../src/identity/opaque-tokens.ts'
import { type Bucket, buckets } from '../../../../src/sign-in/sessions/buckets.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { newClient, startIssuer } from '../../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

const charge = ({ key, capacity, stepSeconds }: Bucket, { failures, units }: { failures: number; units: number }) =>
  service.sql(
    `insert into sign_in_bucket (key, full_at, failures, capacity, step, touched_at)
     values ($1, now() + $2 * make_interval(secs => $3), $4, $5, make_interval(secs => $3), now())`,
    [key, units, stepSeconds, failures, capacity],
  )

/** A device after `failures` wrong passwords of its own, and 60 from elsewhere in a new network. */
async function deviceAfter(own: { failures: number; units: number }) {
  const person = await service.person()
  const { device } = await newClient(service).openSession(person)
  await service.sql('delete from sign_in_bucket')
  await charge(buckets.name(person.email), { failures: 60, units: 0 })
  await charge(buckets.device(opaqueTokenHash(device)), own)
  const answer = await newClient(service).signIn(person.email, 'wrong horse', { device_token: device })
  expect(problemOf(answer)).toEqual({ status: 401, code: 'sign_in_refused' })
  return service.sql('select from device where account_id = $1', [person.id])
}

test('revokes a device after fifty wrong passwords of its own', async () => {
  expect(await deviceAfter({ failures: 48, units: 0 })).toHaveLength(1)
  expect(await deviceAfter({ failures: 49, units: 0 })).toEqual([])
})

test('keeps a device after wrong passwords from elsewhere, even if its own limit is exhausted', async () => {
  expect(await deviceAfter({ failures: 10, units: 10 })).toHaveLength(1)
})
