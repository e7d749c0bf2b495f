import Type, { type Static } from 'typebox'
import { administratorNeeds, ids, json, named, type OperationContract } from '../platform/http/contract.ts'
import { displayedNamePattern } from '../platform/http/formats.ts'

/** Long enough to look at what a user asks about; then it takes another reason. */
export const actAsSeconds = 900

const NewActAs = named('NewActAs', {
  reason: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: displayedNamePattern,
    description: 'Why, such as the number of a ticket. It stands in the audit trail.',
  }),
})

const ActAs = named('ActAs', {
  userId: Type.String({ description: 'For the header `Act-As`.' }),
  expiresAt: Type.String({ description: 'RFC 3339.' }),
})
export type ActAs = Static<typeof ActAs>

const common = {
  tag: 'Administration',
  path: '/api/v1/admin/users/{userId}/act-as',
  permission: 'users:act_as',
  params: ids('userId'),
} as const

export const actAsStartContract = {
  ...common,
  id: 'startActAs',
  method: 'POST',
  needs: administratorNeeds,
  summary: 'Act as a user',
  description: `For ${actAsSeconds / 60} minutes, requests of the caller’s own session with the header \`Act-As\` read as this user what lets them: user data, organisations and, of the built-in issuer, account, factors, sessions and devices. Nothing can be changed, and nothing counts as a sign-in of the user. Each answer bears \`Acted-By\`, and the audit trail has the beginning, each use and the end. It ends earlier with \`DELETE\`, with the session, when another user is chosen, and when either account is disabled, erased or gets another role. The role of the user grants nothing that that of the caller does not.`,
  body: NewActAs,
  bodyExamples: { ticket: { summary: 'For a ticket', value: { reason: 'Ticket 4711: the plan is not shown' } } },
  answers: {
    201: json('The caller acts as the user', ActAs, {
      userId: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
      expiresAt: '2026-11-03T08:15:00.000Z',
    }),
  },
  problems: ['user_unknown', 'user_disabled', 'permission_exceeds'],
} as const satisfies OperationContract

export const actAsEndContract = {
  ...common,
  id: 'endActAs',
  method: 'DELETE',
  summary: 'Stop acting as a user',
  description: 'Also where the caller does not act as this user any more: then nothing changes.',
  answers: { 204: { description: 'The caller does not act as the user' } },
} as const satisfies OperationContract

export const actAsContracts: readonly OperationContract[] = [actAsStartContract, actAsEndContract]
