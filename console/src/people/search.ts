export const statuses = ['active', 'disabled', 'erasing'] as const
export const sorts = ['created', '-created', 'email', '-email'] as const

/** The filters and the order of the list, as the address bar has them. What is not known there is left out. */
export interface PeopleSearch {
  readonly q?: string
  readonly status?: (typeof statuses)[number]
  readonly role?: string
  readonly administrator?: 'true'
  /** Members of this organisation. */
  readonly orgId?: string
  readonly emailProved?: 'true' | 'false'
  readonly sort?: (typeof sorts)[number]
  /** Of a list that is shown in pages. */
  readonly cursor?: string
}

/** Which people are listed, whatever their order. */
export type PeopleFilters = Omit<PeopleSearch, 'sort' | 'cursor'>

export function peopleSearch(search: Readonly<Record<string, unknown>>): PeopleSearch {
  const { q, role, orgId, cursor } = search
  const status = statuses.find((known) => known === search.status)
  const sort = sorts.find((known) => known === search.sort)
  // An address that was typed has the word, or the value that the router reads from it.
  const emailProved = (['true', 'false'] as const).find((known) => known === String(search.emailProved))
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(status && { status }),
    ...(typeof role === 'string' && role !== '' && { role }),
    ...(String(search.administrator) === 'true' && { administrator: 'true' }),
    ...(typeof orgId === 'string' && orgId !== '' && { orgId }),
    ...(emailProved && { emailProved }),
    ...(sort && { sort }),
    ...(typeof cursor === 'string' && { cursor }),
  }
}

/** The same filters, as the list that is read as one has them. */
export function exportQuery({ q, ...others }: PeopleFilters) {
  return { ...others, ...(q !== undefined && { email: q }) }
}
