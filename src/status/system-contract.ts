import Type, { type Static } from 'typebox'
import { json, named, type OperationContract, object } from '../platform/http/contract.ts'

const At = (description: string) => Type.String({ description: `RFC 3339. ${description}` })

const Node = object({
  host: Type.String({ description: 'Name of the machine or container.' }),
  version: Type.String(),
  commit: Type.Optional(Type.String({ description: 'Of the sources, where the package was made of a commit.' })),
  nodeVersion: Type.String({ description: 'Of Node.js.' }),
  startedAt: At('When the process started.'),
  isDraining: Type.Boolean({ description: 'It is about to stop, and `/readyz` is 503.' }),
})

const DatabaseStatus = object({
  place: Type.Enum(['embedded', 'external'], { description: '`external`: by `DATABASE_URL`.' }),
  version: Type.String({ description: 'Of PostgreSQL.' }),
  state: Type.Enum(['up', 'read_only', 'full', 'saturated', 'refused', 'unreachable']),
  cause: Type.Optional(
    Type.String({
      description: 'What led to the state, where it is not `up`: an SQLSTATE, or a code of the system.',
    }),
  ),
  failures: Type.Array(object({ code: Type.String(), count: Type.Integer() }), {
    description: 'Failed statements and connections since the start.',
  }),
  pools: Type.Array(
    object({
      name: Type.String(),
      max: Type.Integer(),
      busy: Type.Integer(),
      waiting: Type.Integer({ description: 'Requests that wait for a connection.' }),
      refused: Type.Integer({ description: 'Requests that got none, since the start.' }),
    }),
    { description: 'Connections of this process.' },
  ),
})

const Issuer = object({
  issuer: Type.String(),
  kind: Type.Enum(['built_in', 'remote', 'configured'], {
    description: '`remote`: its keys are fetched. `configured`: they are in the settings.',
  }),
  keys: Type.Optional(
    Type.Enum(['fresh', 'stale', 'unavailable'], {
      description:
        'Of a remote one. `stale`: it cannot be reached, and its last keys still serve. `unavailable`: its tokens cannot be verified.',
    }),
  ),
})

const Job = object({
  name: Type.Enum(['upkeep', 'reconciliation', 'backup'], {
    description: '`upkeep` erases what is due and deletes old rows. `backup`: the daily one of the embedded database.',
  }),
  subject: Type.Optional(Type.String({ description: 'Of a reconciliation: the payment processor.' })),
  lastAt: Type.Optional(At('When it was last finished, by any node. Absent if it never was.')),
  nextAt: Type.Optional(At('When it is due again, where it runs by itself.')),
  lastFailureAt: Type.Optional(At('When it last failed, where that was after it was last finished.')),
  lastFailure: Type.Optional(
    Type.String({ description: 'The code of the problem, of the system or of PostgreSQL, or `interrupted`.' }),
  ),
})

const Faulty = Type.Array(object({ kind: Type.String(), fault: Type.String(), mails: Type.Integer() }))

const Mail = object({
  isConfigured: Type.Boolean(),
  waiting: Type.Integer(),
  oldestSeconds: Type.Integer({ description: 'Since the oldest mail that waits was written; 0 where none waits.' }),
  sent: Type.Integer({ description: 'In the last 24 hours.' }),
  retried: Faulty,
  givenUp: Faulty,
})

const CurrentSetting = object({
  name: Type.String(),
  isSet: Type.Boolean({ description: 'False where the default holds.' }),
  isSecret: Type.Boolean(),
  value: Type.Optional(
    Type.String({ description: 'The value, or the default. Never of a secret; empty where nothing is set.' }),
  ),
})

/** What is wrong or worth knowing. A later release may add codes; `detail` says each in English. */
const Advice = object({
  code: Type.String({ description: 'Stable.' }),
  level: Type.Enum(['warn', 'fail'], { description: '`fail`: something does not work.' }),
  detail: Type.String(),
  values: Type.Record(Type.String(), Type.String(), { description: 'What the sentence is about, by name.' }),
  command: Type.Optional(Type.String({ description: 'What to run.' })),
  setting: Type.Optional(Type.String({ description: 'What to set.' })),
})
export type Advice = Static<typeof Advice>

export const SystemStatus = named('SystemStatus', {
  at: At('When this was read.'),
  node: Node,
  database: DatabaseStatus,
  clock: object(
    { offsetSeconds: Type.Number(), isFar: Type.Boolean() },
    { description: 'How far the clock of this node is ahead of that of the database.' },
  ),
  schema: object({
    version: Type.Integer({ description: 'Number of the newest migration of the database.' }),
    releaseVersion: Type.Integer({ description: 'Number of the newest migration of this release.' }),
    pending: Type.Array(Type.String()),
    ahead: Type.Array(Type.String({ description: 'Migrations of a newer release.' })),
  }),
  issuers: Type.Array(Issuer),
  jobs: Type.Array(Job),
  mail: Mail,
  limits: Type.Array(object({ name: Type.String(), reached: Type.Integer() }), {
    description: 'How often each limit of this process was reached since its start.',
  }),
  advice: Type.Array(Advice, { description: 'The worst first.' }),
  settings: Type.Array(CurrentSetting, { description: 'Every setting, in the order of docs/configuration.md.' }),
})
export type SystemStatus = Static<typeof SystemStatus>

const example: SystemStatus = {
  at: '2026-11-24T08:15:00.000Z',
  node: {
    host: 'muster-1',
    version: '0.1.0',
    commit: '4f2c1b8d0a6e7f3b9c5d2e1a0f8b7c6d5e4f3a2b',
    nodeVersion: 'v24.21.0',
    startedAt: '2026-11-23T06:00:00.000Z',
    isDraining: false,
  },
  database: {
    place: 'external',
    version: '18.1',
    state: 'up',
    failures: [{ code: '57P01', count: 1 }],
    pools: [{ name: 'main', max: 10, busy: 1, waiting: 0, refused: 0 }],
  },
  clock: { offsetSeconds: 0.004, isFar: false },
  schema: { version: 130, releaseVersion: 130, pending: [], ahead: [] },
  issuers: [
    { issuer: 'https://muster.example.com', kind: 'built_in' },
    { issuer: 'https://id.example.com', kind: 'remote', keys: 'stale' },
  ],
  jobs: [{ name: 'upkeep', lastAt: '2026-11-24T08:10:00.000Z', nextAt: '2026-11-24T08:20:00.000Z' }],
  mail: { isConfigured: true, waiting: 0, oldestSeconds: 0, sent: 31, retried: [], givenUp: [] },
  limits: [{ name: 'connections', reached: 0 }],
  advice: [
    {
      code: 'issuer_stale',
      level: 'warn',
      detail: 'The issuer https://id.example.com cannot be reached; its last keys still serve.',
      values: { issuer: 'https://id.example.com' },
      command: 'muster doctor --only issuers',
    },
  ],
  settings: [
    { name: 'MUSTER_PORT', isSet: false, isSecret: false, value: '4600' },
    { name: 'DATABASE_URL', isSet: true, isSecret: true },
  ],
}

export const systemContract = {
  id: 'getSystemStatus',
  method: 'GET',
  path: '/api/v1/admin/system',
  tag: 'Administration',
  permission: 'system:read',
  summary: 'Read the state of a node',
  description:
    'What the node that answers knows of itself and of the database, what `muster doctor` would advise of it, and its settings. No secret is in it, and nothing but the database is asked. Other nodes answer for themselves. While the database cannot be reached there is no answer: `/readyz` says why.',
  answers: {
    200: json('The state of the node', SystemStatus, example),
  },
} as const satisfies OperationContract
