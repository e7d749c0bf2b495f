/** The cursors of a page's `Link` header (RFC 8288): nothing where there is no such page. */
export interface Cursors {
  readonly next?: string
  readonly prev?: string
}

export function cursorsOf({ headers }: Response): Cursors {
  const link = headers.get('Link') ?? ''
  const { next, prev } = { next: cursorOf(link, 'next'), prev: cursorOf(link, 'prev') }
  return { ...(next !== undefined && { next }), ...(prev !== undefined && { prev }) }
}

function cursorOf(link: string, relation: 'next' | 'prev'): string | undefined {
  const [, target] = new RegExp(`<([^>]*)>; rel="${relation}"`).exec(link) ?? []
  if (target === undefined) return undefined
  return new URL(target, location.origin).searchParams.get('cursor') ?? undefined
}
