/** The search and the page of the list of all organisations, as the address bar has them. What is not known there is left out. */
export interface OrganizationsSearch {
  readonly q?: string
  readonly cursor?: string
}

export function organizationsSearch({ q, cursor }: Readonly<Record<string, unknown>>): OrganizationsSearch {
  return { ...(typeof q === 'string' && q !== '' && { q }), ...(typeof cursor === 'string' && { cursor }) }
}

/** The token of a link to an invitation; the screen takes it out of the address at once. */
interface InvitationSearch {
  readonly token?: string
}

export function invitationSearch({ token }: Readonly<Record<string, unknown>>): InvitationSearch {
  return typeof token === 'string' && token !== '' ? { token } : {}
}

/** Behind the `#`, where neither a log nor a proxy sees it. */
export function invitationLink(token: string): string {
  return `${location.origin}/#/invitation?token=${encodeURIComponent(token)}`
}

/** The token of what was pasted: a link of `invitationLink`, or the token itself. */
export function invitationOf(pasted: string): string {
  const [, query = ''] = pasted.split('#/invitation?')
  return new URLSearchParams(query).get('token') ?? pasted.trim()
}
