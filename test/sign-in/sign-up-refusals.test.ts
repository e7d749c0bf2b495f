import { expect, onTestFinished, test } from 'vitest'
import { createSignUpInvitation } from '../../src/sign-in/links/sign-up-invitations.ts'
import { newClient, startIssuer } from './test-client.ts'

const details = {
  open: 'An account cannot be created for this address. If the address is yours, sign in.',
  invitation: 'Sign-up needs an unused, unexpired invitation to this address.',
  closed: 'Sign-up is closed. Ask an administrator for an account.',
} as const

test.each(['open', 'invitation', 'closed'] as const)(
  '403 sign_up_refused — the whole answer where sign-up is %s, which says nothing of an address',
  async (setting) => {
    const service = await startIssuer({ env: { MUSTER_SIGN_UP: setting } })
    onTestFinished(() => service.stop())
    const taken = await service.person()
    await createSignUpInvitation(service.database, { email: 'reserved@example.com' })
    for (const email of [taken.email, 'reserved@example.com']) {
      const { status, body, headers } = await newClient(service).post('/auth/sign-up', {
        ...{ email, password: 'seventeen small turtles' },
        ...(setting !== 'open' && { invitation: 'mit_unknown' }),
      })
      expect(status).toBe(403)
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
      expect(body).toEqual({
        ...{ type: '/docs/problems.md#sign_up_refused', title: expect.any(String), status: 403 },
        ...{ code: 'sign_up_refused', detail: details[setting], instance: expect.stringMatching(/^urn:uuid:/) },
      })
    }
    expect(await service.sql('select from account')).toHaveLength(1)
    expect(await service.sql('select from sign_up_invitation where used_at is null')).toHaveLength(1)
  },
)
