import { expect, test } from 'vitest'
import { serviceAccountFile } from '../../simulator/googlecloud.ts'
import { simulatorForTest } from '../engine/harness.ts'
import { open } from './recorded-check.ts'

test.each([
  ['names no project', undefined],
  ['names a project that would leave the path', '../../v1/other?x='],
])('a service account file that %s is valid, and its permissions stay unknown', async (_, project) => {
  const simulator = await simulatorForTest()
  const keyChecks = await open(simulator, { defaultProvider: 'googlecloud' })
  const apiKey = JSON.stringify({ ...JSON.parse(serviceAccountFile('valid')), project_id: project })
  simulator.fault = ({ path }) =>
    path === '/token' ? { status: 200, body: { access_token: 'ya29.x', token_type: 'Bearer' } } : undefined
  expect(await keyChecks.check({ keyType: 'api_key', apiKey })).toMatchObject({
    outcome: 'valid',
    details: { code: 'capabilities_unknown' },
  })
  expect(simulator.received.map(({ path }) => path.split('?')[0])).toEqual([
    '/token',
    '/@dns/dns/v1/projects//managedZones',
  ])
})
