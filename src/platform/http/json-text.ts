import type { InputFault } from '../problems.ts'

/** A problem lists no more faults than a person reads at once. */
export const faultsMax = 20
/** Names come from the caller and are shown back only up to this length. */
export const nameLengthMax = 100

/** An object or a list that is open at a place of the text. */
interface Frame {
  /** Of an object; a list has none. */
  readonly names?: Set<string>
  /** The member or the index that the next value has. */
  name: string | number
  /** Whether the next text is a name. */
  expectsName: boolean
}

/**
 * What `JSON.parse` accepts and readers understand differently (RFC 7493): a member that is there twice, of which it takes the last
 * (§2.3), and texts with half a surrogate pair, which PostgreSQL and UTF-8 make equal to each other (§2.1). One pass over a text that
 * `JSON.parse` has accepted; each fault names the member.
 */
export function ambiguitiesOf(text: string): InputFault[] {
  const faults: InputFault[] = []
  const open: Frame[] = []
  const report = (detail: string) => {
    if (faults.length < faultsMax) faults.push({ pointer: pointerTo(open), detail })
  }
  for (const [token] of text.matchAll(tokens)) {
    const frame = open.at(-1)
    if (token === '{') open.push({ names: new Set(), name: '', expectsName: true })
    else if (token === '[') open.push({ name: 0, expectsName: false })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',') advance(frame)
    else {
      if (frame?.expectsName && isRepeated(frame, textOf(token))) report('is there more than once')
      if (token.includes('\\u') && loneSurrogate.test(textOf(token))) report('is not well-formed Unicode')
    }
  }
  return faults
}

/** Texts, and what opens, closes and separates; numbers and words in between mean nothing here. Linear: no part can match in two ways. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g

/** With the flag `u` a pair is one character, and only half of one is a surrogate. */
const loneSurrogate = /\p{Cs}/u

/** Notes the name of the next member. */
function isRepeated(frame: Frame, name: string): boolean {
  frame.name = name
  frame.expectsName = false
  const isThere = frame.names?.has(name) === true
  frame.names?.add(name)
  return isThere
}

function advance(frame: Frame | undefined): void {
  if (frame?.names) frame.expectsName = true
  else if (typeof frame?.name === 'number') frame.name += 1
}

function textOf(token: string): string {
  return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1)
}

/** RFC 6901. */
function pointerTo(open: readonly Frame[]): string {
  return open.map(({ name }) => `/${escapePointer(String(name).slice(0, nameLengthMax))}`).join('')
}

export function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1')
}
