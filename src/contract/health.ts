import Type from 'typebox'
import type { OperationContract } from './operation.ts'

const Status = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false, $id: 'Status' })

const ok = {
  description: 'Yes',
  content: { 'application/json': { schema: Status, examples: { ok: { summary: 'Yes', value: { status: 'ok' } } } } },
} as const

export const livezContract = {
  id: 'isAlive',
  method: 'GET',
  path: '/livez',
  tag: 'Operation',
  summary: 'Whether the process is alive',
  description: 'Asks nothing of anybody. A process that does not answer wants a restart.',
  access: 'public',
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
  access: 'public',
  answers: { 200: ok },
  problems: ['database_unavailable', 'shutting_down'],
} as const satisfies OperationContract
