/** Readers for response bodies of any content: parsed JSON, or XML as `readXml` reads it. */

/** The value at a dotted path (`error.code`, `errors.0.reason`); '' is the whole body. Own members only. */
export function valueAt(body: unknown, path: string): unknown {
  let value = body
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** The text at a path; '' if it is missing or not a string. */
export function textAt(body: unknown, path: string): string {
  const value = valueAt(body, path)
  return typeof value === 'string' ? value : ''
}

/** The list at a path; undefined if there is none. */
export function listAt(body: unknown, path = ''): readonly unknown[] | undefined {
  const value = valueAt(body, path)
  return Array.isArray(value) ? value : undefined
}

/**
 * The list at a path if every entry is an object with this member; otherwise undefined. An empty list counts: an account may have no zones.
 */
export function listOf(body: unknown, path: string, member: string): readonly unknown[] | undefined {
  const list = listAt(body, path)
  return list?.every((entry) => valueAt(entry, member) !== undefined) ? list : undefined
}

/** The object at a path; undefined if there is none or it is a list. */
export function objectAt(body: unknown, path = ''): object | undefined {
  const value = valueAt(body, path)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** The instant as milliseconds since 1970; NaN for anything else. */
export function instantMs(value: unknown): number {
  // RFC 3339 with an offset. Without an offset, JavaScript would assume the time zone of this machine.
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
  return typeof value === 'string' && instant.test(value) ? Date.parse(value) : Number.NaN
}

/** The body of an answer as JSON, or as XML. What is complete of a body that was cut off. */
export function parseBody(
  text: string,
  { answersXml, isCutOff }: { answersXml?: true | undefined; isCutOff?: true | undefined },
): unknown {
  const json = parseJson(isCutOff ? completed(text) : text)
  return json === undefined && answersXml ? readXml(text) : json
}

/** undefined if it is not JSON or is nested too deeply. Allows a byte order mark (RFC 8259 §8.1 lets a reader ignore it). */
export function parseJson(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text)
  } catch {
    return undefined
  }
}

/** V8 needs 50 bytes or more per level. */
const jsonDepthMax = 32

function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isInString && character === '\\') at += 1
    else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    if (depth > jsonDepthMax) return true
  }
  return false
}

/**
 * Completes the beginning of a JSON document, so that it can be parsed: every list and object that is open is closed. A value that is not
 * complete is left out, and so is an entry of a list. `{"zones":[{"id":1},{"id":` becomes `{"zones":[{"id":1}]}`.
 */
export function completed(beginning: string): string {
  const open: ('}' | ']')[] = []
  let kept = { end: 0, closing: '' }
  let isInString = false
  const keep = (end: number) => {
    // Not inside an entry of a list: half an entry could look like a whole one.
    if (open.lastIndexOf(']', -2) < 0) kept = { end, closing: open.toReversed().join('') }
  }
  for (let at = 0; at < beginning.length; at += 1) {
    const character = beginning[at]
    if (character === '"') isInString = !isInString
    else if (isInString && character === '\\') at += 1
    if (isInString) continue
    if (character === ',') keep(at)
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']')
      keep(at + 1)
    } else if (character === '}' || character === ']') {
      open.pop()
      keep(at + 1)
    }
  }
  return beginning.slice(0, kept.end) + kept.closing
}

/**
 * An element: its text if it has nothing else, otherwise its members by name (attributes as `@name`, mixed text as `#text`). Repeated
 * members become a list.
 */
type Element = string | { [name: string]: Element | Element[] }

interface Open {
  readonly name: string
  readonly members: [string, Element][]
  text: string
}

const xmlDepthMax = 16

/**
 * A small document as an object, so that the JSON readers work on it. undefined if it is not well-formed, or contains a document type,
 * custom entities, processing instructions or CDATA.
 */
export function readXml(text: string): unknown {
  const open: Open[] = [{ name: '', members: [], text: '' }]
  let end = 0
  const body = text.replace(/^\ufeff?\s*<\?xml [^<>]*\?>/, '')
  for (const found of body.matchAll(
    /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/g,
  )) {
    const [whole, closing, name = '', attributes = '', empty] = found
    const top = open.at(-1)
    const between = decode(body.slice(end, found.index))
    if (!top || between === undefined) return undefined
    top.text += between
    end = found.index + whole.length
    if (closing) {
      if (top.name !== name || attributes || empty || open.length === 1) return undefined
      close(open)
      continue
    }
    const members = readAttributes(attributes)
    if (!members || open.length > xmlDepthMax) return undefined
    open.push({ name, members, text: '' })
    if (empty) close(open)
  }
  const [document, ...unclosed] = open
  const isWhole = document?.members.length === 1 && unclosed.length === 0 && document.text.trim() === ''
  return isWhole && body.slice(end).trim() === '' ? objectOf(document.members) : undefined
}

function close(open: Open[]): void {
  const done = open.pop()
  if (done) open.at(-1)?.members.push([localName(done.name), elementOf(done)])
}

function elementOf({ members, text }: Open): Element {
  if (members.length === 0) return text
  return objectOf(text.trim() === '' ? members : [...members, ['#text', text]])
}

/** Drops the namespace prefix. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function readAttributes(text: string): [string, Element][] | undefined {
  const members: [string, Element][] = []
  for (const [, name = '', quoted = ''] of text.matchAll(/([\w.:-]+)\s*=\s*("[^"]*"|'[^']*')/g)) {
    const value = decode(quoted.slice(1, -1))
    if (value === undefined) return undefined
    // A namespace declaration is not content: an element with only that is a text.
    if (name !== 'xmlns' && !name.startsWith('xmlns:')) members.push([`@${localName(name)}`, value])
  }
  return members
}

/** Linear in the number of members, of which there may be thousands. */
function objectOf(members: readonly [string, Element][]): { [name: string]: Element | Element[] } {
  const values = new Map<string, Element[]>()
  for (const [name, value] of members) {
    const same = values.get(name)
    if (same) same.push(value)
    else values.set(name, [value])
  }
  const only = (same: Element[]) => (same.length === 1 ? (same[0] ?? '') : same)
  // `fromEntries` defines its members, so `__proto__` becomes an ordinary member.
  return Object.fromEntries([...values].map(([name, same]) => [name, only(same)]))
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** undefined if a `<` is left or an entity is not one of the five. */
function decode(text: string): string | undefined {
  if (/<|&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) return undefined
  return text.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? '')
}
