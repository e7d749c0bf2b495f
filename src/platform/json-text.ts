import type { InputFault } from './problems.ts'

/** Maximum number of faults that one problem lists. */
export const faultsMax = 20
/** Problems shorten member names, which come from the caller, to this length. */
export const nameLengthMax = 100
/** Maximum nesting of untrusted JSON. A list in an object has two levels. */
export const depthMax = 32

/** Checks JSON while its bytes arrive, before `JSON.parse` builds anything. */
export interface JsonScan {
  /**
   * Scans the bytes that were added since the last call. `bytes` is the whole text so far. Returns a fault, and stops scanning, once the
   * text is nested more than `depthMax` levels deep or has more than `itemsMax` items.
   */
  read(bytes: Buffer): InputFault | undefined
  /**
   * Text that `JSON.parse` accepts but other parsers read differently (RFC 7493): duplicate members, of which `JSON.parse` keeps the
   * last (§2.3), and lone surrogates, which PostgreSQL and UTF-8 replace (§2.1).
   */
  readonly ambiguities: readonly InputFault[]
}

/**
 * Scans UTF-8. Members and list elements count as items; an empty list counts as one. If `JSON.parse` rejects the text, ignore the
 * ambiguities.
 */
export function scanJson(itemsMax = Number.POSITIVE_INFINITY): JsonScan {
  const ambiguities: InputFault[] = []
  const position = createPosition()
  let at = 0
  let string: OpenString | undefined

  const report = (detail: string) => {
    if (ambiguities.length < faultsMax) ambiguities.push({ pointer: position.pointer(), detail })
  }

  /** Returns false if the end of the string has not arrived. */
  function readString(bytes: Buffer, open: OpenString): boolean {
    at = endOfString(open, bytes, at)
    if (bytes[at] !== quote) return false
    if (open.isName && position.enterMember(bytes.toString('utf8', open.start, at))) report('is sent more than once')
    if (open.hasLoneSurrogate || open.highSurrogateEnd !== undefined) report('is not well-formed Unicode')
    string = undefined
    at += 1
    return true
  }

  /** Returns false if the text is nested too deep. */
  function readByte(byte: number | undefined): boolean {
    at += 1
    if (byte === quote) string = { start: at, isName: position.expectsName(), hasLoneSurrogate: false }
    else if (byte === comma) position.next()
    else if (byte === openBrace || byte === openBracket) return position.enter(byte === openBrace)
    else if (byte === closeBrace || byte === closeBracket) position.leave()
    return true
  }

  return {
    ambiguities,
    read(bytes) {
      while (at < bytes.length) {
        if (string) {
          if (!readString(bytes, string)) return undefined
        } else if (!readByte(bytes[at]))
          return { pointer: position.pointer(), detail: `is nested more than ${depthMax} levels deep` }
        if (position.items() > itemsMax)
          return {
            pointer: position.pointer(),
            detail: `exceeds the limit of ${itemsMax} members and list elements`,
          }
      }
      return undefined
    },
  }
}

/** An object or list that is still open. */
interface Frame {
  /** Names of the members so far. Undefined for a list. */
  readonly names?: Set<string>
  /** The name or index of the current value. */
  name: string | number
  /** Whether the next string is a name. */
  expectsName: boolean
}

/** The position of a scan in the document, and the number of items before it. */
function createPosition() {
  const open: Frame[] = []
  let items = 0
  return {
    items: () => items,
    expectsName: () => open.at(-1)?.expectsName === true,
    /** JSON Pointer (RFC 6901). */
    pointer: () => open.map(({ name }) => `/${escapePointer(String(name).slice(0, nameLengthMax))}`).join(''),
    /** Enters an object or list. Returns false if it is nested too deep. */
    enter(isObject: boolean): boolean {
      if (open.length === depthMax) return false
      open.push(isObject ? { names: new Set(), name: '', expectsName: true } : { name: 0, expectsName: false })
      if (!isObject) items += 1
      return true
    },
    leave(): void {
      open.pop()
    },
    /** Moves to the next member or element. */
    next(): void {
      const frame = open.at(-1)
      if (frame?.names) frame.expectsName = true
      else if (typeof frame?.name === 'number') {
        frame.name += 1
        items += 1
      }
    },
    /** Enters the member with this name, as written in the JSON text. Returns true if the object already has the name. */
    enterMember(written: string): boolean {
      const frame = open.at(-1)
      if (!frame?.names) return false
      frame.name = decodeName(written)
      frame.expectsName = false
      items += 1
      const isRepeated = frame.names.has(frame.name)
      frame.names.add(frame.name)
      return isRepeated
    },
  }
}

/** A string that is still open. */
interface OpenString {
  /** Index after the opening quote. */
  readonly start: number
  readonly isName: boolean
  /** Index after a high surrogate that still needs its low surrogate. */
  highSurrogateEnd?: number | undefined
  hasLoneSurrogate: boolean
}

/**
 * `JSON.parse` for untrusted text without a schema: files, settings, and responses of issuers, providers and payment processors.
 * Throws a `SyntaxError` for malformed JSON, and for more than `depthMax` levels: V8 needs 50 bytes or more per level.
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

/** Returns the index of the closing quote, or the index from which to continue when more bytes arrive. Never splits an escape. */
function endOfString(string: OpenString, bytes: Buffer, from: number): number {
  const { length } = bytes
  let at = from
  while (at < length) {
    while (at < length && bytes[at] !== quote && bytes[at] !== backslash) at += 1
    if (bytes[at] !== backslash) return at
    const size = bytes[at + 1] === lowerU ? 6 : 2
    if (at + size > length) return at
    if (size === 6) readSurrogate(string, codeUnitAt(bytes, at + 2), at)
    at += size
  }
  return at
}

/** Records lone surrogates. Only escapes matter: UTF-8 cannot encode a raw surrogate. */
function readSurrogate(string: OpenString, unit: number, at: number): void {
  const isHigh = unit >>> 10 === 0x36
  const isLow = unit >>> 10 === 0x37
  if (!isHigh && !isLow) return
  const isPair = isLow && string.highSurrogateEnd === at
  const leavesHighAlone = isHigh && string.highSurrogateEnd !== undefined
  if ((isLow && !isPair) || leavesHighAlone) string.hasLoneSurrogate = true
  string.highSurrogateEnd = isHigh ? at + 6 : undefined
}

/** Parses four hexadecimal digits. */
function codeUnitAt(bytes: Buffer, at: number): number {
  let unit = 0
  for (let index = at; index < at + 4; index += 1) {
    const byte = bytes[index] ?? 0
    unit = unit * 16 + (byte < 0x41 ? byte - 0x30 : (byte | 0x20) - 0x57)
  }
  return unit
}

/** Decodes escapes, so that two spellings of a name are equal. */
function decodeName(written: string): string {
  if (!written.includes('\\')) return written
  try {
    return String(JSON.parse(`"${written}"`))
  } catch {
    return written // malformed: `JSON.parse` will reject the whole text
  }
}

/** Escapes a member name for a JSON Pointer (RFC 6901 §3). */
export function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1')
}
