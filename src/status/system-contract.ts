import Type, { type Static } from 'typebox'
import { contract, flag, json, named, object, text, time } from '../platform/http/contract.ts'

const At = (description: string) => time(`${description}`)

const Node = object({
  host: text('The host name of the machine or container.'),
  version: Type.String(),
  commit: Type.Optional(text('The commit that the package was built from, if known.')),
  nodeVersion: text('The version of Node.js.'),
  startedAt: At('When the process started.'),
  isDraining: flag('The node is stopping, and `/readyz` responds with 503.'),
})

const DatabaseStatus = object({
  place: Type.Enum(['embedded', 'external'], { description: '`external`: the server in `DATABASE_URL`.' }),
  version: text('The version of PostgreSQL.'),
  state: Type.Enum(['up', 'read_only', 'full', 'saturated', 'refused', 'unreachable']),
  cause: Type.Optional(text('Why the state is not `up`: an SQLSTATE or a system error code.')),
  failures: Type.Array(object({ code: Type.String(), count: Type.Integer() }), {
    description: 'Number of failed statements and connections since the start.',
  }),
  pools: Type.Array(
    object({
      name: Type.String(),
      max: Type.Integer(),
      busy: Type.Integer(),
      waiting: Type.Integer({ description: 'Number of requests waiting for a connection.' }),
      refused: Type.Integer({ description: 'Number of requests that got no connection since the start.' }),
    }),
    { description: 'Connections of this process.' },
  ),
})

const Issuer = object({
  issuer: Type.String(),
  kind: Type.Enum(['built_in', 'remote', 'configured'], {
    description: '`remote`: its keys are fetched. `configured`: its keys are in the settings.',
  }),
  keys: Type.Optional(
    Type.Enum(['fresh', 'stale', 'unavailable'], {
      description:
        'Only for remote issuers. `stale`: the issuer is unreachable, and its last keys are still used. `unavailable`: its tokens cannot be verified.',
    }),
  ),
})

const Job = object({
  name: Type.Enum(['upkeep', 'reconciliation', 'backup'], {
    description:
      '`upkeep` deletes accounts that are due and old rows. `backup` is the daily backup of the embedded database.',
  }),
  subject: Type.Optional(text('The payment processor of a reconciliation.')),
  lastAt: Type.Optional(At('When the job last finished, on any node. Absent if it never did.')),
  nextAt: Type.Optional(At('When the job is due again, if it is scheduled.')),
  lastFailureAt: Type.Optional(At('When the job last failed. Absent if it has finished since.')),
  lastFailure: Type.Optional(text('A problem code, a system error code, an SQLSTATE, or `interrupted`.')),
})

const Faulty = Type.Array(object({ kind: Type.String(), fault: Type.String(), mails: Type.Integer() }))

const Mail = object({
  isConfigured: Type.Boolean(),
  waiting: Type.Integer(),
  oldestSeconds: Type.Integer({ description: 'Age in seconds of the oldest waiting email; 0 if none is waiting.' }),
  sent: Type.Integer({ description: 'Number in the last 24 hours.' }),
  retried: Faulty,
  givenUp: Faulty,
})

const CurrentSetting = object({
  name: Type.String(),
  isSet: flag('False: the default applies.'),
  isSecret: Type.Boolean(),
  value: Type.Optional(text('The value, or the default. Never the value of a secret. Empty if not set.')),
})

/** Findings about the node. Later releases may add codes; `detail` explains each in English. */
const Advice = object({
  code: text('Stable.'),
  level: Type.Enum(['warn', 'fail'], { description: '`fail`: something does not work.' }),
  detail: Type.String(),
  values: Type.Record(Type.String(), Type.String(), { description: 'The name of the affected item.' }),
  command: Type.Optional(text('The command to run.')),
  setting: Type.Optional(text('The setting to change.')),
})
export type Advice = Static<typeof Advice>

export const SystemStatus = named('SystemStatus', {
  at: At('When the state was read.'),
  node: Node,
  database: DatabaseStatus,
  clock: object(
    { offsetSeconds: Type.Number(), isFar: Type.Boolean() },
    { description: 'How many seconds the clock of this node is ahead of the database’s clock.' },
  ),
  schema: object({
    version: Type.Integer({ description: 'Number of the newest migration in the database.' }),
    releaseVersion: Type.Integer({ description: 'Number of the newest migration in this release.' }),
    pending: Type.Array(Type.String()),
    ahead: Type.Array(text('Migrations of a newer release.')),
  }),
  issuers: Type.Array(Issuer),
  jobs: Type.Array(Job),
  mail: Mail,
  limits: Type.Array(object({ name: Type.String(), reached: Type.Integer() }), {
    description: 'How often each limit of this process was reached since the start.',
  }),
  advice: Type.Array(Advice, { description: 'The most severe first.' }),
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
      detail: 'https://id.example.com is unreachable; its last keys are still used.',
      values: { issuer: 'https://id.example.com' },
      command: 'muster doctor --only issuers',
    },
  ],
  settings: [
    { name: 'MUSTER_PORT', isSet: false, isSecret: false, value: '4600' },
    { name: 'DATABASE_URL', isSet: true, isSecret: true },
  ],
}

export const systemContract = contract('GET /api/v1/admin/system', 'system:read', {
  id: 'getSystemStatus',
  tag: 'Administration',
  summary: 'Get the state of a node',
  description:
    'The state of the responding node and of the database, the findings of `muster doctor` for them, and the settings of the node without secrets. Reads only from the node itself and the database. Does not cover other nodes. Fails while the database is unreachable; `/readyz` shows the reason.',
  answers: { 200: json('The state of the node', SystemStatus, example) },
})
