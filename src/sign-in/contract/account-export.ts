import Type from 'typebox'
import { json, named, type OperationContract, object, ownAccountNeeds } from '../../platform/http/contract.ts'
import { sessionProblems } from './sessions.ts'
import { factorType } from './tokens.ts'

const time = Type.String({ description: 'RFC 3339.' })
const list = (members: Parameters<typeof Type.Object>[0]) => Type.Array(object(members))
const text = Type.String()
const optionalText = Type.Optional(text)

/** Everything about one account. Its members are part of the contract. */
export const AccountExport = named('AccountExport', {
  exportedAt: time,
  account: object({
    id: text,
    email: optionalText,
    emailProved: Type.Boolean(),
    role: text,
    language: optionalText,
    createdAt: time,
    disabledAt: Type.Optional(time),
    erasesAt: Type.Optional(time),
    signsInWith: Type.Optional(Type.String({ description: 'The address of the password, normalised.' })),
  }),
  identities: list({ issuer: text, subject: text }),
  memberships: list({ orgId: text, name: text, role: text, joinedAt: time }),
  subscriptions: list({
    id: text,
    processor: text,
    customer: text,
    price: text,
    product: optionalText,
    status: text,
    createdAt: time,
  }),
  sessions: list({
    id: text,
    createdAt: time,
    lastUsedAt: time,
    expiresAt: time,
    endedAt: Type.Optional(time),
    amr: Type.Array(text),
    address: optionalText,
    userAgent: optionalText,
  }),
  devices: list({ id: text, label: optionalText, createdAt: time, lastUsedAt: time }),
  factors: list({ id: text, type: factorType, friendlyName: text, createdAt: time }),
  events: Type.Array(
    object({
      id: text,
      at: time,
      action: text,
      target: Type.Optional(object({ kind: text, id: text })),
      address: optionalText,
      details: Type.Object({}),
    }),
    { description: 'What the account did, by the audit trail, the oldest first.' },
  ),
})

export const exportOwnAccountContract = {
  id: 'exportOwnAccount',
  method: 'GET',
  path: '/auth/account/export',
  tag: 'Built-in issuer',
  summary: 'Fetch everything about the caller’s account',
  description:
    'A file in JSON with the account, its identities, memberships, subscriptions, sessions, devices, the names of its factors, and what it did by the audit trail. No secret is in it. A transfer that fails is aborted and not well-formed.',
  permission: 'caller',
  needs: ownAccountNeeds,
  answers: {
    200: {
      ...json('The account', AccountExport, {
        exportedAt: '2026-11-02T09:30:00.000000Z',
        account: {
          id: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
          email: 'ada@example.com',
          emailProved: true,
          role: 'user',
          createdAt: '2026-11-02T08:00:00.000000Z',
          signsInWith: 'ada@example.com',
        },
        identities: [{ issuer: 'urn:muster:issuer', subject: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01' }],
        memberships: [],
        subscriptions: [],
        sessions: [],
        devices: [],
        factors: [],
        events: [],
      }),
      headers: {
        'Content-Disposition': { description: 'A file `account.json`.', schema: Type.String() },
      },
    },
  },
  problems: ['user_unknown', ...sessionProblems],
} as const satisfies OperationContract
