import { operation } from '../identity/operation.ts'
import {
  type AuditFilter,
  type AuditPosition,
  newestPosition,
  positionOf,
  readAuditPage,
} from '../platform/audit/audit-log.ts'
import type { Rows } from '../platform/database/database.ts'
import type { Cursors } from '../platform/http/cursors.ts'
import { type AuditQuery, auditContract, eventsPageSizeDefault } from './contract.ts'

/** The audit log in pages. Events are kept for `keptDays`; 0 means forever. */
export function auditTrail(database: Rows, cursors: Cursors, keptDays: number) {
  return operation(auditContract, async ({ query, reply }) => {
    const { limit = eventsPageSizeDefault, cursor, ...filters } = query
    const binding = JSON.stringify([auditContract.path, ...filterNames.map((name) => filters[name])])
    // Trust boundary: only this operation seals positions with this binding.
    const before: AuditPosition = cursor === undefined ? newestPosition : JSON.parse(cursors.open(cursor, binding))
    // One extra row shows whether another page follows.
    const found = await readAuditPage(database, auditFilterOf(filters), { before, limit: limit + 1 })
    const events = found.slice(0, limit)
    const last = events.at(-1)
    if (last && found.length > limit) {
      const next = cursors.seal(JSON.stringify(positionOf(last)), binding)
      reply.header('link', `<${nextPath(filters, limit, next)}>; rel="next"`)
    }
    return { events: [...events], ...(keptDays > 0 && { keptSince: daysAgo(keptDays) }) }
  })
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

type Filters = Omit<AuditQuery, 'limit' | 'cursor'>

const filterNames = ['since', 'until', 'action', 'actorId', 'targetId'] as const satisfies readonly (keyof Filters)[]

function auditFilterOf({ since, until, action, actorId, targetId }: Filters): AuditFilter {
  const actorIds = actorId === undefined ? undefined : [actorId]
  return { since, until, action, actorIds, targetId }
}

function nextPath(filters: Filters, limit: number, cursor: string): string {
  const given = filterNames.flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const parameters = Object.fromEntries([...given, ['limit', String(limit)], ['cursor', cursor]])
  return `${auditContract.path}?${new URLSearchParams(parameters)}`
}
