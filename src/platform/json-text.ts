import type { InputFault } from './problems.ts'

/** Maximum number of faults in one problem. */
export const faultsMax = 20
/** Names come from the caller and are shown back only up to this length. */
export const nameLengthMax = 100
/** Maximum nesting of JSON from outside. A list in an object has two levels. */
export const depthMax = 32

/** Checks JSON while its bytes arrive, before `JSON.parse` builds anything. */
export interface JsonScan {
  /**
   * Reads what was added since the last call: `bytes` is all of the text so far. Returns a fault as soon as the text is nested more than
   * `depthMax` levels deep or has more than `itemsMax` items. The scan ends there.
   */
  read(bytes: Buffer): InputFault | undefined
  /**
   * What `JSON.parse` accepts and other readers understand differently (RFC 7493): a member that is sent twice, of which `JSON.parse`
   * keeps the last (§2.3), and half a surrogate pair, which PostgreSQL and UTF-8 replace (§2.1).
   */
  readonly ambiguities: readonly InputFault[]
}

/**
 * Scans UTF-8. Members and list elements count as items; an empty list counts as one. If `JSON.parse` rejects the text, the ambiguities
 * mean nothing.
 */
export function scanJson(itemsMax = Number.POSITIVE_INFINITY): JsonScan {
  const ambiguities: InputFault[] = []
  const place = createPlace()
  let at = 0
  let string: OpenString | undefined

  const report = (detail: string) => {
    if (ambiguities.length < faultsMax) ambiguities.push({ pointer: place.pointer(), detail })
  }

  /** Returns false if the end of the string has not arrived. */
  function readString(bytes: Buffer, open: OpenString): boolean {
    at = endOfString(open, bytes, at)
    if (bytes[at] !== quote) return false
    if (open.isName && place.enterMember(bytes.toString('utf8', open.start, at))) report('is there more than once')
    if (open.hasLoneHalf || open.halfEnd !== undefined) report('is not well-formed Unicode')
    string = undefined
    at += 1
    return true
  }

  /** Returns false if the text is nested too deep. */
  function readMark(byte: number | undefined): boolean {
    at += 1
    if (byte === quote) string = { start: at, isName: place.expectsName(), hasLoneHalf: false }
    else if (byte === comma) place.next()
    else if (byte === openBrace || byte === openBracket) return place.enter(byte === openBrace)
    else if (byte === closeBrace || byte === closeBracket) place.leave()
    return true
  }

  return {
    ambiguities,
    read(bytes) {
      while (at < bytes.length) {
        if (string) {
          if (!readString(bytes, string)) return undefined
        } else if (!readMark(bytes[at]))
          return { pointer: place.pointer(), detail: `is nested more than ${depthMax} levels deep` }
        if (place.items() > itemsMax)
          return { pointer: place.pointer(), detail: `is more than the ${itemsMax} members and list elements allowed` }
      }
      return undefined
    },
  }
}

/** An object or a list whose end has not been read. */
interface Frame {
  /** Names of the members so far. Lists have none. */
  readonly names?: Set<string>
  /** The name or index of the current value. */
  name: string | number
  /** Whether the next string is a name. */
  expectsName: boolean
}

/** Where in the document a scan is, and how many items it has passed. */
function createPlace() {
  const open: Frame[] = []
  let items = 0
  return {
    items: () => items,
    expectsName: () => open.at(-1)?.expectsName === true,
    /** RFC 6901. */
    pointer: () => open.map(({ name }) => `/${escapePointer(String(name).slice(0, nameLengthMax))}`).join(''),
    /** Returns false if that is too deep. */
    enter(isObject: boolean): boolean {
      if (open.length === depthMax) return false
      open.push(isObject ? { names: new Set(), name: '', expectsName: true } : { name: 0, expectsName: false })
      if (!isObject) items += 1
      return true
    },
    leave(): void {
      open.pop()
    },
    /** Goes on to the next member or element. */
    next(): void {
      const frame = open.at(-1)
      if (frame?.names) frame.expectsName = true
      else if (typeof frame?.name === 'number') {
        frame.name += 1
        items += 1
      }
    },
    /** Enters the member of that name, and returns whether the object has had it before. */
    enterMember(written: string): boolean {
      const frame = open.at(-1)
      if (!frame?.names) return false
      frame.name = nameOf(written)
      frame.expectsName = false
      items += 1
      const isRepeated = frame.names.has(frame.name)
      frame.names.add(frame.name)
      return isRepeated
    },
  }
}

/** A string whose end has not been read. */
interface OpenString {
  /** The place after its opening quote. */
  readonly start: number
  readonly isName: boolean
  /** The place after the first half of a surrogate pair that still needs its second half. */
  halfEnd?: number | undefined
  hasLoneHalf: boolean
}

/**
 * `JSON.parse` for text from outside that has no contract: files, settings, and responses of issuers, providers and payment processors.
 * Throws a `SyntaxError` also for text that is nested more than `depthMax` levels deep: V8 needs 50 bytes and more for each level.
 */
export function parseBoundedJson(text: string): unknown {
  if (scanJson().read(Buffer.from(text))) throw new SyntaxError(`JSON is nested more than ${depthMax} levels deep`)
  return JSON.parse(text)
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const lowerU = 0x75
const openBrace = 0x7b
const closeBrace = 0x7d

/** The place of the closing quote, or where reading goes on when more bytes have come: an escape is read as a whole. */
function endOfString(string: OpenString, bytes: Buffer, from: number): number {
  const { length } = bytes
  let at = from
  while (at < length) {
    while (at < length && bytes[at] !== quote && bytes[at] !== backslash) at += 1
    if (bytes[at] !== backslash) return at
    const size = bytes[at + 1] === lowerU ? 6 : 2
    if (at + size > length) return at
    if (size === 6) readUnit(string, codeUnitAt(bytes, at + 2), at)
    at += size
  }
  return at
}

/** Notes half a surrogate pair without its other half directly beside it. Raw halves are not UTF-8, so only escapes matter. */
function readUnit(string: OpenString, unit: number, at: number): void {
  const isFirstHalf = unit >>> 10 === 0x36
  const isSecondHalf = unit >>> 10 === 0x37
  if (!isFirstHalf && !isSecondHalf) return
  const isPair = isSecondHalf && string.halfEnd === at
  const leavesHalf = isFirstHalf && string.halfEnd !== undefined
  if ((isSecondHalf && !isPair) || leavesHalf) string.hasLoneHalf = true
  string.halfEnd = isFirstHalf ? at + 6 : undefined
}

/** Four hexadecimal digits. */
function codeUnitAt(bytes: Buffer, at: number): number {
  let unit = 0
  for (let index = at; index < at + 4; index += 1) {
    const byte = bytes[index] ?? 0
    unit = unit * 16 + (byte < 0x41 ? byte - 0x30 : (byte | 0x20) - 0x57)
  }
  return unit
}

/** Two spellings of one name are equal. */
function nameOf(written: string): string {
  if (!written.includes('\\')) return written
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    return written // not JSON: `JSON.parse` rejects the whole text
  }
}

export function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1')
}
