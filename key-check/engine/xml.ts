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
