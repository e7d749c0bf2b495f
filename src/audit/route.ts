import type { ListReads } from '../identity/list-reads.ts'
import { operation } from '../identity/operation.ts'
import { positionOf, readTrailPage, type TrailPosition, type TrailQuery, trailStart } from '../platform/audit/trail.ts'
import { type Cursors, withSeen } from '../platform/http/cursors.ts'
import { refuse } from '../platform/problems.ts'
import { type AuditQuery, auditContract, eventsPageSizeDefault } from './contract.ts'

/** The audit trail in pages. Events are kept for `keptDays`; 0 means for ever. */
export function auditTrail(reads: ListReads, cursors: Cursors, keptDays: number) {
  return operation(auditContract, async ({ accountId, query, reply }) => {
    const { limit = eventsPageSizeDefault, cursor, ...filters } = query
    const binding = JSON.stringify([auditContract.path, ...filterNames.map((name) => filters[name])])
    // The trust boundary: only positions that this operation made are sealed with this binding.
    const place: Place = cursor === undefined ? trailStart : JSON.parse(cursors.open(cursor, binding))
    const [at, id, seenBefore] = place
    const trailQuery = trailQueryOf(filters)
    const { found, seen } = await reads.read({ callerId: accountId, seen: seenBefore, reply }, async (source) => ({
      // One more than asked for shows whether another page follows.
      found: await readTrailPage(source, trailQuery, { before: [at, id], limit: limit + 1 }),
      seen: await source.position(),
    }))
    const events = found.slice(0, limit)
    const last = events.at(-1)
    if (last && found.length > limit) {
      const next = cursors.seal(withSeen(JSON.stringify(positionOf(last)), seen), binding)
      reply.header('link', `<${nextPath(filters, limit, next)}>; rel="next"`)
    }
    return { events: [...events], ...(keptDays > 0 && { keptSince: daysAgo(keptDays) }) }
  })
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

/** With the place in the log up to which the page before had read, where there are replicas. */
type Place = readonly [...TrailPosition, seen?: string]

type Filters = Omit<AuditQuery, 'limit' | 'cursor'>

const filterNames = ['since', 'until', 'action', 'actorId', 'targetId'] as const satisfies readonly (keyof Filters)[]

function trailQueryOf({ since, until, action, actorId, targetId }: Filters): TrailQuery {
  const actorIds = actorId === undefined ? undefined : [actorId]
  return { since: timeOf('since', since), until: timeOf('until', until), action, actorIds, targetId }
}

/** As it was sent, for PostgreSQL has microseconds. The pattern of the contract lets the 31st of February through. */
function timeOf(parameter: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [day = ''] = text.split('T')
  const midnight = new Date(`${day}T00:00:00Z`)
  if (!Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)) return text
  return refuse('input_invalid', { errors: [{ parameter, detail: 'There is no such day.' }] })
}

function nextPath(filters: Filters, limit: number, cursor: string): string {
  const given = filterNames.flatMap((name) => {
    const value = filters[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const parameters = Object.fromEntries([...given, ['limit', String(limit)], ['cursor', cursor]])
  return `${auditContract.path}?${new URLSearchParams(parameters)}`
}
