/** The filters and the order of the list, as the address bar has them. What is not known there is left out. */
export interface PeopleSearch {
  readonly q?: string
  readonly status?: 'active' | 'disabled' | 'erasing'
  readonly role?: string
  readonly sort?: string
  readonly cursor?: string
}

export function peopleSearch(search: Readonly<Record<string, unknown>>): PeopleSearch {
  const { q, status, role, sort, cursor } = search
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...((status === 'active' || status === 'disabled' || status === 'erasing') && { status }),
    ...(typeof role === 'string' && role !== '' && { role }),
    ...(typeof sort === 'string' && { sort }),
    ...(typeof cursor === 'string' && { cursor }),
  }
}
