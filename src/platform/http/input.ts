import {
  Ajv2020,
  _ as code,
  type ErrorObject,
  type KeywordErrorDefinition,
  str,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import { escapePointer, faultsMax, nameLengthMax } from '../json-text.ts'
import { type InputFault, Problem } from '../problems.ts'
import { formatFaults, formats } from './formats.ts'

/** `validateSchema: false`, because compiling the meta-schema takes longer than all other schemas. A test validates them instead. */
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: true,
  validateSchema: false,
  formats,
})

/** Replaces Ajv's rules, which count all characters of a text (40 ms for 4 MiB). Counts only if the number of code units is not decisive. */
for (const [keyword, word, isValid] of [
  [
    'maxLength',
    'more',
    (text: string, max: number) => text.length <= max || (text.length <= 2 * max && charactersOf(text) <= max),
  ],
  ['minLength', 'fewer', (text: string, min: number) => text.length >= 2 * min || charactersOf(text) >= min],
] as const) {
  const error: KeywordErrorDefinition = {
    message: ({ schemaCode }) => str`must NOT have ${word} than ${schemaCode} characters`,
    params: ({ schemaCode }) => code`{limit: ${schemaCode}}`,
  }
  const compile = (limit: number) => (text: string) => isValid(text, limit)
  const rule = { keyword, type: 'string', schemaType: 'number', before: 'pattern', error, compile } as const
  ajv.removeKeyword(keyword).addKeyword(rule)
}

/** Code points, as PostgreSQL counts them. */
function charactersOf(text: string): number {
  return Array.from(text).length
}

interface SchemaPart {
  readonly schema: unknown
  readonly httpPart?: string
}

/**
 * Validator compiler for Fastify. Reports every fault, and never coerces, removes or adds members. Compiles a schema at its first use,
 * because compiling all schemas would take longer than the rest of the start.
 */
export function compileValidator({ schema, httpPart }: SchemaPart) {
  const isBody = httpPart === 'body'
  const types = propertyTypes(schema)
  const isOptional = !isBody && !hasRequired(schema)
  return (data: unknown) => {
    if (isOptional && isEmpty(data)) return { value: data }
    const value = isBody ? data : parseValues(data, types)
    // The trust boundary: schemas come from the contract, which TypeBox builds as JSON Schema.
    const validate = validatorOf(schema as ContractSchema)
    if (validate(value)) return { value }
    const errors = mergeUnionErrors(validate.errors ?? [])
      .slice(0, faultsMax)
      .map(isBody ? bodyFault : parameterFault)
    return { error: new Problem('input_invalid', { errors, detail: 'See `errors` for every invalid value.' }) }
  }
}

interface ContractSchema {
  readonly $id?: string
}

/** The servers of one process have the same contracts. */
const validators = new WeakMap<ContractSchema, ValidateFunction>()

function validatorOf(schema: ContractSchema): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  // Ajv rejects an ID that occurs twice.
  const { $id: _, ...anonymous } = schema
  const validate = ajv.compile(anonymous)
  validators.set(schema, validate)
  return validate
}

/**
 * Parses a query string into names and strings. A repeated name gets a list, which no schema allows. The result has no prototype, so that
 * `__proto__` is an ordinary name.
 */
export function parseQuery(text: string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null)
  if (text === '') return query
  for (const [name, value] of new URLSearchParams(text)) query[name] = name in query ? repeated : value
  return query
}

const repeated: readonly string[] = []

/** Parses integers and booleans of a query. Leaves other spellings as text, which the schema then rejects. */
function parseValues(data: unknown, types: ReadonlyMap<string, unknown>): unknown {
  if (typeof data !== 'object' || data === null) return data
  const parsed: Record<string, unknown> = Object.create(null)
  for (const [name, value] of Object.entries(data)) parsed[name] = parseValue(value, types.get(name))
  return parsed
}

function isEmpty(data: unknown): boolean {
  for (const _ in Object(data)) return false
  return true
}

function hasRequired(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'required' in schema
}

function parseValue(value: unknown, type: unknown): unknown {
  if (type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value)) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function propertyTypes(schema: unknown): ReadonlyMap<string, unknown> {
  const properties = typeof schema === 'object' && schema !== null && 'properties' in schema ? schema.properties : {}
  return new Map(Object.entries(properties ?? {}).map(([name, property]) => [name, property.type]))
}

/** Ajv reports an error for each alternative of a union and one for the union. Merges them into one. */
function mergeUnionErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf')
  if (unions.length === 0) return errors
  const alternativesOf = (union: ErrorObject) =>
    errors.filter(
      ({ schemaPath, instancePath }) =>
        schemaPath.startsWith(`${union.schemaPath}/`) && `${instancePath}/`.startsWith(`${union.instancePath}/`),
    )
  const alternatives = new Set(unions.flatMap(alternativesOf))
  return errors
    .filter((error) => !alternatives.has(error))
    .map((error) =>
      unions.includes(error) ? { ...error, message: alternativesOf(error).map(detailOf).join(', or ') } : error,
    )
}

function bodyFault(error: ErrorObject): InputFault {
  const member = memberOf(error)
  const pointer = member === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(member)}`
  return { pointer, detail: detailOf(error) }
}

function parameterFault(error: ErrorObject): InputFault {
  const parameter = memberOf(error) ?? error.instancePath.split('/')[1] ?? ''
  return { parameter, detail: Array.isArray(error.data) ? 'must be sent once' : detailOf(error) }
}

/** The missing or unknown member. Undefined for other errors, which concern the value at `instancePath`. */
function memberOf({ params }: ErrorObject): string | undefined {
  const member: unknown = params.missingProperty ?? params.additionalProperty
  return typeof member === 'string' ? member.slice(0, nameLengthMax) : undefined
}

function detailOf({ keyword, params, message, data }: ErrorObject): string {
  if (keyword === 'required') return 'is required'
  if (keyword === 'additionalProperties') return 'is unknown'
  if (keyword === 'enum') return `must be one of: ${params.allowedValues.join(', ')}`
  if (keyword === 'format')
    return formatFaults[params.format]?.(String(data)) ?? `must be in the format ${params.format}`
  if (keyword === 'type') return `must be of the type ${params.type}`
  return message ?? 'is not valid'
}
