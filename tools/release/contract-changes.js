/**
 * What a client of the older contract would notice in the newer one: one sentence each. Both are OpenAPI documents by
 * src/api-docs/openapi.ts. Additions do not count, because clients ignore unknown members. docs/decisions/releases.md has the rules, and
 * why this is our own.
 */
export function contractChanges(olderDocument, newerDocument, today = new Date()) {
  const [older, newer] = [dereferenced(olderDocument), dereferenced(newerDocument)]
  return Object.entries(older.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const place = `${method.toUpperCase()} ${path}`
      const now = newer.paths[path]?.[method]
      if (now === undefined) return hasEnded(operation, today) ? [] : [`${place} is gone.`]
      return operationChanges(place, { older, newer }, operation, now)
    }),
  )
}

/** The document with inlined responses, parameters, headers and examples. Schemas stay references. */
export function dereferenced(document) {
  const follow = (part) => {
    if (Array.isArray(part)) return part.map(follow)
    if (typeof part !== 'object' || part === null) return part
    const [, kind, name] = /^#\/components\/(responses|parameters|headers|examples)\/(.+)$/.exec(part.$ref ?? '') ?? []
    if (kind !== undefined) return follow(document.components[kind][name])
    return Object.fromEntries(Object.entries(part).map(([member, value]) => [member, follow(value)]))
  }
  return { ...document, paths: follow(document.paths) }
}

/** It was announced (RFC 8594), and the date has passed. */
function hasEnded(operation, today) {
  return operation.deprecated === true && new Date(operation['x-sunset']) <= today
}

function operationChanges(place, documents, older, newer) {
  const before = parametersOf(older)
  const after = parametersOf(newer)
  return [
    ...(older['x-permission'] === newer['x-permission']
      ? []
      : [`${place} requires the permission ${newer['x-permission']} instead of ${older['x-permission']}.`]),
    ...(JSON.stringify(older['x-needs']) === JSON.stringify(newer['x-needs'] ?? older['x-needs'])
      ? []
      : [`${place} requires another sign-in.`]),
    ...[...before].flatMap(([name, parameter]) => {
      const now = after.get(name)
      if (now === undefined) return [`${place} no longer accepts ${name}.`]
      return schemaChanges(`${place} ${name}`, documents, parameter.schema, now.schema, 'sent')
    }),
    ...[...after]
      .filter(([name, { required }]) => required && !before.get(name)?.required)
      .map(([name]) => `${place} requires ${name}.`),
    ...bodyChanges(place, documents, older.requestBody, newer.requestBody),
    ...answerChanges(place, documents, older.responses, newer.responses),
  ]
}

function parametersOf({ parameters = [] }) {
  return new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
}

function bodyChanges(place, documents, older, newer) {
  if (newer === undefined) return older === undefined ? [] : [`${place} no longer accepts a body.`]
  return [
    ...(newer.required && !older?.required ? [`${place} requires a body.`] : []),
    ...Object.entries(older?.content ?? {}).flatMap(([type, { schema }]) =>
      newer.content[type] === undefined
        ? [`${place} no longer accepts ${type}.`]
        : schemaChanges(`${place} body`, documents, schema, newer.content[type].schema, 'sent'),
    ),
  ]
}

/** Of answers that are not problems. The set of problems may change; the meaning of a code may not. */
function answerChanges(place, documents, older, newer) {
  return Object.entries(older)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, answer]) => {
      const now = newer[status]
      if (now === undefined) return [`${place} no longer answers ${status}.`]
      const missing = Object.keys(answer.headers ?? {}).filter((name) => !Object.hasOwn(now.headers ?? {}, name))
      const contents = { ...now.content, ...now['x-content-by-accept'] }
      return [
        ...missing.map((name) => `${place} ${status} no longer has the header ${name}.`),
        ...Object.entries({ ...answer.content, ...answer['x-content-by-accept'] }).flatMap(([type, { schema }]) =>
          contents[type] === undefined
            ? [`${place} ${status} no longer has ${type}.`]
            : schemaChanges(`${place} ${status}`, documents, schema, contents[type].schema, 'received'),
        ),
      ]
    })
}

/** Limits on what a client sends, and the direction in which they may move. */
const ceilings = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const floors = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']

/** `direction`: whether clients send or receive values of the schema. */
function schemaChanges(place, documents, olderSchema, newerSchema, direction) {
  const older = resolved(documents.older, olderSchema)
  const newer = resolved(documents.newer, newerSchema)
  const isSent = direction === 'sent'
  const inside = (name, one, other) => schemaChanges(`${place}.${name}`, documents, one, other, direction)
  return [
    ...(JSON.stringify(older.type) === JSON.stringify(newer.type)
      ? []
      : [`${place} is ${typeOf(newer)} instead of ${typeOf(older)}.`]),
    ...valuesOf(older)
      .filter((value) => valuesOf(newer).length > 0 && !valuesOf(newer).includes(value))
      .map((value) => `${place} no longer has the value ${JSON.stringify(value)}.`),
    ...(isSent && valuesOf(older).length === 0 && valuesOf(newer).length > 0
      ? [`${place} accepts only listed values.`]
      : []),
    ...(isSent ? limitChanges(place, older, newer) : []),
    ...Object.entries(older.properties ?? {}).flatMap(([name, schema]) =>
      newer.properties?.[name] === undefined
        ? [`${place} no longer has the member ${name}.`]
        : inside(name, schema, newer.properties[name]),
    ),
    ...requiredChanges(place, older.required ?? [], newer.required ?? [], isSent),
    ...(older.items && newer.items ? inside('items', older.items, newer.items) : []),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((word) =>
      (older[word] ?? []).flatMap((schema, index) =>
        newer[word]?.[index] === undefined
          ? [`${place} has fewer forms (${word}).`]
          : inside(`${word}[${index}]`, schema, newer[word][index]),
      ),
    ),
  ]
}

function requiredChanges(place, older, newer, isSent) {
  const [less, more] = isSent ? [newer, older] : [older, newer]
  const word = isSent ? 'is required' : 'may be absent'
  return less.filter((name) => !more.includes(name)).map((name) => `${place}.${name} ${word}.`)
}

function limitChanges(place, older, newer) {
  // Required members were a lower limit of their own.
  const before = { ...older, minProperties: Math.max(older.minProperties ?? 0, older.required?.length ?? 0) }
  const isNarrower = (word, sign) =>
    newer[word] !== undefined && sign * newer[word] > sign * (before[word] ?? -sign / 0)
  return [
    ...floors.filter((word) => isNarrower(word, 1)),
    ...ceilings.filter((word) => isNarrower(word, -1)),
    ...['pattern', 'format', 'const'].filter((word) => newer[word] !== undefined && newer[word] !== older[word]),
    ...(newer.additionalProperties === false && older.additionalProperties !== false ? ['additionalProperties'] : []),
  ].map((word) => `${place} has a narrower ${word}.`)
}

function valuesOf({ enum: values, const: only }) {
  return values ?? (only === undefined ? [] : [only])
}

function typeOf({ type = 'any' }) {
  return [type].flat().join(' or ')
}

/** Schemas do not refer to themselves. */
function resolved(document, schema = {}) {
  const [, name] = /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '') ?? []
  return name === undefined ? schema : document.components.schemas[name]
}

/** The document without texts for readers: what the comparison needs. */
export function contractShape(value) {
  if (Array.isArray(value)) return value.map(contractShape)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name, part]) => !(texts.has(name) && isText(part)))
  return Object.fromEntries(entries.map(([name, part]) => [name, contractShape(part)]))
}

const texts = new Set(['description', 'summary', 'examples'])

/** A body may have a member with such a name: then it is a schema. */
function isText(part) {
  return typeof part === 'string' || part.type === undefined
}
