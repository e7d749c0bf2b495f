import Type, { type Static } from 'typebox'
import { json, named, type OperationContract, object, pageQuery } from '../platform/http/contract.ts'
import { timeRules, uuidRules } from '../platform/http/formats.ts'

const eventsPageSizeMax = 500
export const eventsPageSizeDefault = 100

export const AuditEvent = named('AuditEvent', {
  id: Type.String(),
  at: Type.String({ description: 'RFC 3339.' }),
  action: Type.String({ description: 'See docs/audit.md for the list.' }),
  actorKind: Type.Optional(
    Type.Enum(['account', 'service', 'operator'], {
      description: 'Who acted. Absent if unknown, such as for a rejected sign-in.',
    }),
  ),
  actorId: Type.Optional(Type.String({ description: 'The id of the account or the service key.' })),
  actorEmail: Type.Optional(Type.String({ description: 'The current email of the account.' })),
  actorName: Type.Optional(Type.String({ description: 'The name of the service key.' })),
  operator: Type.Optional(
    Type.String({ description: 'The user of the operating system who ran a command of `muster`.' }),
  ),
  target: Type.Optional(object({ kind: Type.String(), id: Type.String() }, { description: 'What was changed.' })),
  address: Type.Optional(Type.String({ description: 'The IP address of the caller.' })),
  requestId: Type.Optional(Type.String()),
  details: Type.Object({}, { additionalProperties: true, description: 'More members, depending on the action.' }),
})
export type AuditEvent = Static<typeof AuditEvent>

export const AuditQuery = object({
  ...pageQuery('Events', { max: eventsPageSizeMax, usual: eventsPageSizeDefault }, 'filters'),
  since: Type.Optional(Type.String({ ...timeRules, description: 'Events at or after this time, RFC 3339.' })),
  until: Type.Optional(Type.String({ ...timeRules, description: 'Events before this time, RFC 3339.' })),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z][a-z0-9_]{0,62}(\\.[a-z][a-z0-9_]{0,62})?$',
      maxLength: 127,
      description: 'One action, such as `account.disabled`, or all with this part before the dot, such as `session`.',
    }),
  ),
  actorId: Type.Optional(Type.String({ ...uuidRules, description: 'The account or the service key that acted.' })),
  targetId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 400, description: 'What was changed, such as the id of an account.' }),
  ),
})
export type AuditQuery = Static<typeof AuditQuery>

const example: AuditEvent = {
  id: '0197b2a4-6d02-7f00-8a51-2f1a5e0c9d77',
  at: '2026-01-31T09:26:53.589793Z',
  action: 'account.disabled',
  actorKind: 'account',
  actorId: '0197b2a4-6cff-7a20-8a51-5fd1c4e0bb01',
  actorEmail: 'ada@example.com',
  target: { kind: 'account', id: '0197b2a4-6cff-7a20-8a51-6a1b2c3d4e5f' },
  address: '192.0.2.7',
  requestId: '3f0e4c1a-5a0f-4f2d-9b64-0b7f7a2f8e11',
  details: {},
}

export const auditContract = {
  id: 'listAuditEvents',
  method: 'GET',
  path: '/api/v1/admin/audit',
  tag: 'Administration',
  summary: 'Read the audit log',
  description:
    'Who changed what, newest first, in pages. The header `Link` has the URL of the next page and is absent on the last page. Events recorded in the meantime do not appear on later pages.',
  permission: 'audit:read',
  query: AuditQuery,
  answers: {
    200: {
      ...json(
        'Events, newest first',
        named('AuditEvents', {
          events: Type.Array(AuditEvent),
          keptSince: Type.Optional(
            Type.String({
              description:
                'Events before this time are deleted. Rejected sign-ins are deleted after `MUSTER_KEEP_REFUSALS_DAYS`. RFC 3339. Absent if all events are kept forever.',
            }),
          ),
        }),
        { events: [example], keptSince: '2024-12-27T09:30:00.000Z' },
      ),
      headers: {
        Link: { description: 'RFC 8288: `<…>; rel="next"`. Absent on the last page.', schema: Type.String() },
      },
    },
  },
  problems: ['cursor_invalid'],
} as const satisfies OperationContract
