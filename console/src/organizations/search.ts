/** The search and the page of the list of all organisations, as the address bar has them. What is not known there is left out. */
export interface OrganizationsSearch {
  readonly q?: string
  readonly cursor?: string
}

export function organizationsSearch({ q, cursor }: Readonly<Record<string, unknown>>): OrganizationsSearch {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof cursor === 'string' && { cursor }),
  }
}
