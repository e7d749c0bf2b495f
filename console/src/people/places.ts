import type { PeoplePage } from './read-people.ts'

/** Rows on a page of the long list. */
export const pageSize = 200

/**
 * Where the pages of a list begin, as far as it was read: a page that was dropped from memory is read again from here. All but the last
 * have `pageSize` rows.
 */
export interface Places {
  /** Of each page; the first has none. */
  readonly cursors: readonly (string | undefined)[]
  /** Rows on the last page, once it was read. */
  readonly rowsOfLast?: number
}

export const firstPlace: Places = { cursors: [undefined] }

/** What the page `index`, which was just read, tells about the one behind it. The same object where it tells nothing new. */
export function learn(places: Places, index: number, { users, next }: PeoplePage): Places {
  const known = places.cursors
  if (next === undefined) {
    if (places.rowsOfLast === users.length && known.length === index + 1) return places
    return { cursors: known.slice(0, index + 1), rowsOfLast: users.length }
  }
  if (known[index + 1] === next) return places
  // People who were added or removed meanwhile move the next page. Those behind it are moved when it is read.
  const cursors = [...known.slice(0, index + 1), next, ...known.slice(index + 2)]
  const isLast = index + 2 >= known.length
  return { cursors, ...(!isLast && places.rowsOfLast !== undefined && { rowsOfLast: places.rowsOfLast }) }
}

/** Rows that are known to be there, and some in place of a page that was not read yet. */
export function rowCount({ cursors, rowsOfLast = rowsExpected }: Places): number {
  return (cursors.length - 1) * pageSize + rowsOfLast
}

const rowsExpected = 3

/** The pages for these rows: each that has one of them, and its neighbour where they are near to it. */
export function pagesFor(places: Places, [first, last]: readonly [number, number]): readonly number[] {
  const from = Math.max(0, Math.floor((first - rowsAhead) / pageSize))
  const to = Math.min(places.cursors.length - 1, Math.floor((last + rowsAhead) / pageSize))
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

/** More than a second of fast scrolling; the first page alone fills a window without asking for the second. */
const rowsAhead = 120
