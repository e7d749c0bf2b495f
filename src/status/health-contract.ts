import Type from 'typebox'
import { json, named, type OperationContract, object } from '../platform/http/contract.ts'

const Status = named('Status', { status: Type.Literal('ok') })

const ok = json('The process is alive', Status, { status: 'ok' })

const Readiness = named('Readiness', {
  status: Type.Literal('ok'),
  database: Type.Optional(
    Type.Union([Type.Literal('read_only'), Type.Literal('full'), Type.Literal('saturated')], {
      description:
        'Present where the database is not up. `read_only`, and `full` (its disk): reads work, changes are refused. `saturated`: it gives no further connection, and the node works with those that it has.',
    }),
  ),
  issuers: Type.Optional(
    Type.Array(
      object({
        issuer: Type.String(),
        keys: Type.Union([Type.Literal('stale'), Type.Literal('unavailable')], {
          description:
            '`stale`: the issuer cannot be reached, and its last keys still serve. `unavailable`: its tokens cannot be verified.',
        }),
      }),
      { description: 'Issuers whose keys are not fresh, if any. Users of other issuers are not affected.' },
    ),
  ),
})

export const livezContract = {
  id: 'isAlive',
  method: 'GET',
  path: '/livez',
  tag: 'Operation',
  summary: 'Whether the process is alive',
  description: 'Has no dependencies. Restart a process that does not answer.',
  permission: 'public',
  anyHost: true,
  answers: { 200: ok },
} as const satisfies OperationContract

export const readyzContract = {
  id: 'isReady',
  method: 'GET',
  path: '/readyz',
  tag: 'Operation',
  summary: 'Whether the node accepts requests',
  description:
    '503 while the node drains, while the database cannot be reached or refuses connections, and once a newer release has changed the database so that this one cannot work with it. Before the node is ready its port is closed.',
  permission: 'public',
  anyHost: true,
  answers: {
    200: {
      description: 'The node accepts requests',
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
  problems: ['database_unavailable', 'schema_unsupported'],
} as const satisfies OperationContract
