import Type, { type Static } from 'typebox'
import { administratorNeeds, contract, json, named, text, time } from '../platform/http/contract.ts'
import { displayedNamePattern } from '../platform/http/formats.ts'

/** Long enough to investigate one case; a new case needs a new reason. */
export const actAsSeconds = 900

const NewActAs = named('NewActAs', {
  reason: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: displayedNamePattern,
    description: 'The reason, such as a ticket number. The audit log shows it.',
  }),
})

const ActAs = named('ActAs', {
  userId: text('Value for the header `Act-As`.'),
  expiresAt: time(),
})
export type ActAs = Static<typeof ActAs>

const common = { tag: 'Administration' } as const

export const actAsContracts = {
  start: contract('POST /api/v1/admin/users/{userId}/act-as', 'users:act_as', {
    ...common,
    id: 'startActAs',
    needs: administratorNeeds,
    summary: 'Act as a user',
    description: `For ${actAsSeconds / 60} minutes, requests of this session with the header \`Act-As\` read the user’s own data: user data, organizations and, for the built-in issuer, account, factors, sessions and devices. Nothing can be changed, and nothing counts as a sign-in of the user. Each response has the header \`Acted-By\`. The audit log records the start, each use and the end. It ends early with \`DELETE\`, with the session, when the caller chooses another user, and when either account is disabled, deleted or gets another role. The caller’s role must grant everything that the user’s role grants.`,
    body: NewActAs,
    bodyExamples: {
      ticket: { summary: 'With a ticket number', value: { reason: 'Ticket 4711: the plan is missing' } },
    },
    answers: {
      201: json('The caller can act as the user', ActAs, {
        userId: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
        expiresAt: '2026-11-03T08:15:00.000Z',
      }),
    },
    problems: ['user_unknown', 'user_disabled', 'permission_exceeds'],
  }),
  end: contract('DELETE /api/v1/admin/users/{userId}/act-as', 'users:act_as', {
    ...common,
    id: 'endActAs',
    summary: 'Stop acting as a user',
    description: 'Also succeeds if the caller no longer acts as this user.',
    answers: { 204: { description: 'The caller no longer acts as the user' } },
  }),
}
