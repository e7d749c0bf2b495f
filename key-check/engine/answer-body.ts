/** Readers for the body of an answer, whatever it holds: parsed JSON, or XML as `xml.ts` reads it. */

/** The value at a dotted path (`error.code`, `errors.0.reason`), '' for the whole. Own members only. */
export function valueAt(body: unknown, path: string): unknown {
  let value = body
  for (const name of path === '' ? [] : path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

/** The text at a path; '' when there is none or it is not text, so that it compares without further checks. */
export function textAt(body: unknown, path: string): string {
  const value = valueAt(body, path)
  return typeof value === 'string' ? value : ''
}

/** The list at a path; undefined when there is none, which is not the same as an empty list. */
export function listAt(body: unknown, path = ''): readonly unknown[] | undefined {
  const value = valueAt(body, path)
  return Array.isArray(value) ? value : undefined
}

/**
 * The list at a path where every entry is an object with that member; undefined otherwise. An empty list counts: an account without zones
 * has one.
 */
export function listOf(body: unknown, path: string, member: string): readonly unknown[] | undefined {
  const list = listAt(body, path)
  return list?.every((entry) => valueAt(entry, member) !== undefined) ? list : undefined
}

/** The object at a path; undefined when there is none. A list is not one. */
export function objectAt(body: unknown, path = ''): object | undefined {
  const value = valueAt(body, path)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/** The instant as milliseconds since 1970; NaN for anything else. */
export function instantMs(value: unknown): number {
  // RFC 3339 with an offset: without one, JavaScript would read the machine's own time zone into it.
  const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/
  return typeof value === 'string' && instant.test(value) ? Date.parse(value) : Number.NaN
}
