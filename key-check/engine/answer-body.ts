/** Readers for response bodies of any content: parsed JSON, or XML as `xml.ts` reads it. */

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
