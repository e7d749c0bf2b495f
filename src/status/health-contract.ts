import Type from 'typebox'
import type { OperationContract } from '../platform/http/contract.ts'

const Status = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false, $id: 'Status' })

const ok = {
  description: 'Yes',
  content: { 'application/json': { schema: Status, examples: { ok: { summary: 'Yes', value: { status: 'ok' } } } } },
} as const

const Readiness = Type.Object(
  {
    status: Type.Literal('ok'),
    issuers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            issuer: Type.String(),
            keys: Type.Union([Type.Literal('stale'), Type.Literal('unavailable')], {
              description:
                '`stale`: the issuer cannot be asked and the keys kept from before still serve. `unavailable`: nobody of this issuer can be let in.',
            }),
          },
          { additionalProperties: false },
        ),
        { description: 'Issuers that are in trouble, if any. Others’ people are not affected.' },
      ),
    ),
  },
  { additionalProperties: false, $id: 'Readiness' },
)

export const livezContract = {
  id: 'isAlive',
  method: 'GET',
  path: '/livez',
  tag: 'Operation',
  summary: 'Whether the process is alive',
  description: 'Asks nothing of anybody. A process that does not answer wants a restart.',
  permission: 'public',
  answers: { 200: ok },
  problems: [],
} as const satisfies OperationContract

export const readyzContract = {
  id: 'isReady',
  method: 'GET',
  path: '/readyz',
  tag: 'Operation',
  summary: 'Whether requests may be sent here',
  description: 'A 503 while starting, while draining, and while the database cannot be reached.',
  permission: 'public',
  answers: {
    200: {
      description: 'Yes',
      content: {
        'application/json': {
          schema: Readiness,
          examples: {
            ok: { summary: 'Yes', value: { status: 'ok' } },
            issuerDown: {
              summary: 'Yes, and one issuer cannot be reached',
              value: { status: 'ok', issuers: [{ issuer: 'https://id.example.com', keys: 'stale' }] },
            },
          },
        },
      },
    },
  },
  problems: ['database_unavailable', 'shutting_down'],
} as const satisfies OperationContract
