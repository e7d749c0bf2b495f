import { expect, onTestFinished, test } from 'vitest'
import { StartError } from '../../src/platform/start-error.ts'
import { reusedDatabase } from '../support/reused-database.ts'
import { startService } from '../support/service.ts'

test('a configured key set without a usable key stops the start and names the issuer and the reason', async () => {
  const fresh = await reusedDatabase()
  onTestFinished(() => fresh.drop())
  const entry = {
    issuer: 'https://idp.example',
    algorithms: ['ES256'],
    audience: 'api',
    keys: { keys: [{ kty: 'oct' }] },
  }
  const started = startService({ on: fresh, env: { MUSTER_ISSUERS: JSON.stringify([entry]) } })
  const failure: unknown = await started.catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartError)
  expect(failure).toMatchObject({
    message: 'MUSTER_ISSUERS: the key set of https://idp.example has no usable key.',
    cause: { message: 'the set has no usable key' },
  })
})
