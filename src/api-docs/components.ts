export type Json = Readonly<Record<string, unknown>>

/** Moves each schema with an `$id` to `components` and replaces it with a reference. */
export type Hoist = (schema: unknown) => unknown

type Kind = 'responses' | 'parameters' | 'headers' | 'examples'

/** Adds a part to `components` and returns a reference to it. A shared part is added once. */
export type Share = (kind: Kind, name: string, part: unknown) => Json

export interface Tools {
  readonly hoist: Hoist
  readonly share: Share
}

/** Different parts with the same name get a number. */
export function createComponents() {
  const parts: Record<Kind | 'schemas', Record<string, unknown>> = {
    schemas: {},
    responses: {},
    parameters: {},
    headers: {},
    examples: {},
  }
  const named = new Map<string, string[]>()
  const share: Share = (kind, name, part) => {
    const texts = named.get(`${kind} ${name}`) ?? []
    named.set(`${kind} ${name}`, texts)
    const text = JSON.stringify(part)
    const at = texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1
    const key = at === 0 ? name : `${name}-${at + 1}`
    parts[kind][key] = part
    return { $ref: `#/components/${kind}/${key}` }
  }
  const hoist = (schema: unknown) => hoisted(schema, parts.schemas)
  return { parts, share, hoist }
}

/** Headers and examples, each under its name. */
export function sharedAll(share: Share, kind: Kind, parts: Json): Json {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, share(kind, name, part)]))
}

function hoisted(schema: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoisted(item, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, ...rest } = Object.fromEntries(Object.entries(schema))
  const inner = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, hoisted(part, schemas)]))
  if (typeof $id !== 'string') return inner
  schemas[$id] = inner
  return { $ref: `#/components/schemas/${$id}` }
}
