import { type Schemas, unwrap } from '@muster/client'
import { muster } from '../session/muster.ts'
import type { DownloadWatch } from '../ui/download.tsx'
import { cursorsOf } from '../ui/pages.tsx'

/** The filters of the audit trail, as the address bar has them. What is not known there is left out. */
export interface AuditSearch {
  readonly action?: string
  readonly actorId?: string
  readonly targetId?: string
  readonly since?: string
  readonly until?: string
  readonly cursor?: string
  /** Whether the newest events are added while the screen is open. */
  readonly live?: 'true'
}

const textMembers = ['action', 'actorId', 'targetId', 'since', 'until', 'cursor'] as const

export function auditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const known = textMembers.flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return { ...Object.fromEntries(known), ...(String(search.live) === 'true' && { live: 'true' }) }
}

export type AuditEvent = Schemas['AuditEvent']

const rowsOnPage = 50
/** The most that the operation gives. */
const rowsOfExport = 500

/** One page, newest first. */
export async function readTrail({ live: _, ...query }: AuditSearch, signal: AbortSignal, limit = rowsOnPage) {
  const answer = await muster.GET('/api/v1/admin/audit', { params: { query: { ...query, limit } }, signal })
  const { events, keptSince } = await unwrap(answer)
  return { events, keptSince, next: cursorsOf(answer.response).next }
}

/** All events with these filters, one JSON object a line, as `muster audit --json` writes them. Throws where one page is not read. */
export async function exportTrail(
  { cursor: _, ...filters }: AuditSearch,
  { signal, onCount }: DownloadWatch,
): Promise<Blob> {
  const lines: string[] = []
  let count = 0
  let cursor: string | undefined
  do {
    const page = await readTrail({ ...filters, ...(cursor !== undefined && { cursor }) }, signal, rowsOfExport)
    lines.push(...page.events.map((event) => `${JSON.stringify(event)}\n`))
    count += page.events.length
    onCount(count)
    cursor = page.next
  } while (cursor !== undefined)
  return new Blob(lines, { type: 'application/x-ndjson' })
}
