import Type from 'typebox'
import { contract, json, jsonExamples, named, object } from '../platform/http/contract.ts'

const Status = named('Status', { status: Type.Literal('ok') })

const ok = json('The process is alive', Status, { status: 'ok' })

const Readiness = named('Readiness', {
  status: Type.Literal('ok'),
  database: Type.Optional(
    Type.Union([Type.Literal('read_only'), Type.Literal('full'), Type.Literal('saturated')], {
      description:
        'Present if the database is not `up`. `read_only` and `full` (disk full): reads work, changes are rejected. `saturated`: the database accepts no more connections, and the node works with those that it has.',
    }),
  ),
  issuers: Type.Optional(
    Type.Array(
      object({
        issuer: Type.String(),
        keys: Type.Union([Type.Literal('stale'), Type.Literal('unavailable')], {
          description:
            '`stale`: the issuer is unreachable, and its last keys are still used. `unavailable`: its tokens cannot be verified.',
        }),
      }),
      { description: 'Issuers whose keys are not fresh, if any. Users of other issuers are not affected.' },
    ),
  ),
})

export const livezContract = contract('GET /livez', 'public', {
  id: 'isAlive',
  tag: 'Operation',
  summary: 'Check whether the process is alive',
  description: 'Has no dependencies. Restart a process that does not respond.',
  anyHost: true,
  answers: { 200: ok },
})

export const readyzContract = contract('GET /readyz', 'public', {
  id: 'isReady',
  tag: 'Operation',
  summary: 'Check whether the node accepts requests',
  description:
    '503 while the node drains, while the database is unreachable or rejects connections, and once a newer release has changed the schema incompatibly. Until the node is ready, its port is closed.',
  anyHost: true,
  answers: {
    200: jsonExamples('The node accepts requests', Readiness, {
      ok: { summary: 'Yes', value: { status: 'ok' } },
      issuerDown: {
        summary: 'The node accepts requests, and one issuer is unreachable',
        value: { status: 'ok', issuers: [{ issuer: 'https://id.example.com', keys: 'stale' }] },
      },
    }),
  },
  problems: ['database_unavailable', 'schema_unsupported'],
})
