export const statuses = ['active', 'disabled', 'erasing'] as const
export const sorts = ['created', '-created', 'email', '-email'] as const

/** The filters and the order of the list, as the address bar has them. What is not known there is left out. */
export interface PeopleSearch {
  readonly q?: string
  readonly status?: (typeof statuses)[number]
  readonly role?: string
  /** Members of this organisation. */
  readonly orgId?: string
  readonly sort?: (typeof sorts)[number]
  readonly cursor?: string
}

export function peopleSearch(search: Readonly<Record<string, unknown>>): PeopleSearch {
  const { q, role, orgId, cursor } = search
  const status = statuses.find((known) => known === search.status)
  const sort = sorts.find((known) => known === search.sort)
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(status && { status }),
    ...(typeof role === 'string' && role !== '' && { role }),
    ...(typeof orgId === 'string' && orgId !== '' && { orgId }),
    ...(sort && { sort }),
    ...(typeof cursor === 'string' && { cursor }),
  }
}
