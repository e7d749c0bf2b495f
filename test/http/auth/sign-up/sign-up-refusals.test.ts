import { expect, onTestFinished, test } from 'vitest'
import { invitationFor } from '../../../support/operator.ts'
import { newClient, startIssuer } from '../../../support/test-client.ts'

const details = {
  open: 'An account cannot be created for this email. If the email is yours, sign in.',
  invitation: 'Sign-up needs an unused, unexpired invitation to this email.',
  closed: 'Sign-up is closed. Ask an administrator for an account.',
} as const

test.each(['open', 'invitation', 'closed'] as const)(
  'the whole 403 sign_up_refused if sign-up is %s, which reveals nothing about the email',
  async (setting) => {
    const service = await startIssuer({ env: { MUSTER_SIGN_UP: setting } })
    onTestFinished(() => service.stop())
    const taken = await service.person()
    await invitationFor(service, 'reserved@example.com')
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
