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

const members = ['action', 'actorId', 'targetId', 'since', 'until', 'cursor'] as const

export function auditSearch(search: Readonly<Record<string, unknown>>): AuditSearch {
  const known = members.flatMap((name) => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return { ...Object.fromEntries(known), ...(String(search.live) === 'true' && { live: 'true' }) }
}
