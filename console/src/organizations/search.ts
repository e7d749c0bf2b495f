/** The search and the page of the list of all organisations, as the address bar has them. What is not known there is left out. */
export interface OrganizationsSearch {
  readonly q?: string
  readonly cursor?: string
  /** Of a link that was opened. It leaves the address at once. */
  readonly invitation?: string
}

export function organizationsSearch({ q, cursor, invitation }: Readonly<Record<string, unknown>>): OrganizationsSearch {
  return {
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof cursor === 'string' && { cursor }),
    ...(typeof invitation === 'string' && invitation !== '' && { invitation }),
  }
}

/** Opens the console with the invitation. What stands behind the `#` is sent to no server. */
export function invitationLink(token: string): string {
  return `${location.origin}/#/organizations?${new URLSearchParams({ invitation: token })}`
}

/** The token of what was pasted: a link of `invitationLink`, or the token itself. */
export function invitationOf(pasted: string): string {
  const [, query = ''] = pasted.split('#/organizations?')
  return new URLSearchParams(query).get('invitation') ?? pasted.trim()
}
