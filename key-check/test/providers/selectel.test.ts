import { expect, test } from 'vitest'
import { simulatorForTest, verdictOf } from '../engine/harness.ts'
import { open } from './recorded-check.ts'

test('a service user of Selectel finds a zone by its Unicode name, and sends the password only for the token', async () => {
  const simulator = await simulatorForTest()
  const keyChecks = await open(simulator)
  const zone = { id: '5e5e2c4f-1111-4222-8333-444455556666', name: 'münchen.example.' }
  const bodies: string[] = []
  simulator.fault = ({ path, body }) => {
    bodies.push(body)
    if (path.startsWith('/@identity/'))
      return { status: 201, headers: { 'x-subject-token': 't0ken' }, body: { token: {} } }
    const result = path.includes('/rrset') ? [{ type: 'NS' }] : [zone]
    return { status: 200, body: { count: 1, next_offset: 0, result } }
  }
  const parts = { username: 'dns-user', accountId: '123456', projectId: '0123456789abcdef0123456789abcdef' }
  const purpose = { zone: 'xn--mnchen-3ya.example', ability: 'dns:read' } as const
  const { details } = await verdictOf(
    keyChecks.check({ provider: 'selectel', keyType: 'api_token', apiKey: 'pa55word', parts, for: purpose }),
  )
  expect(details).toMatchObject({ fitsPurpose: 'yes', capabilities: { abilities: ['zones:list', 'dns:read'] } })
  expect(simulator.received.map(({ path }) => path)).toEqual([
    '/@identity/auth/tokens',
    '/v2/zones?limit=20&offset=0&filter=m%C3%BCnchen.example',
    `/v2/zones/${zone.id}/rrset?limit=1&offset=0`,
  ])
  expect(simulator.received.map(({ headers }) => headers['x-auth-token'])).toEqual([undefined, 't0ken', 't0ken'])
  expect(bodies.map((body) => body.includes('pa55word'))).toEqual([true, false, false])
})
