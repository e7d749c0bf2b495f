import { type Field, type InputFault, inputError } from '../api.ts'
import type { KeyTypeFacts, PartInfo, PartInfos } from './key-type.ts'
import { trim } from './pasted.ts'
import { Secret } from './secret.ts'

/** The fields of a credential in the order of a form: public values, the key, the rest. */
export function fieldsOf({ label, keyLabel = label, isMultiline, email, parts = {} }: KeyTypeFacts): Field[] {
  const all = Object.entries(parts).map(([name, part]) => partField(name, part))
  const isFirst = ({ required, secret }: Field) => required && !secret
  const key = {
    name: 'apiKey',
    at: '/apiKey',
    label: keyLabel,
    secret: true,
    required: true,
    multiline: isMultiline === true,
  }
  return [
    ...(email === 'required' ? [emailField] : []),
    ...all.filter(isFirst),
    key,
    ...all.filter((field) => !isFirst(field)),
  ]
}

const emailField: Field = {
  name: 'email',
  at: '/email',
  label: 'email address of the account',
  secret: false,
  required: true,
  multiline: false,
}

function partField(name: string, { label, isSecret, isOptional, requiredWhen, ...rest }: PartInfo): Field {
  const { options, mustMatch, pattern = mustMatch, example } = rest
  const first = defaultOf(rest)
  return {
    name,
    at: `/parts/${name}`,
    label,
    secret: isSecret === true,
    required: isOptional !== true,
    multiline: false,
    ...(pattern !== undefined && { pattern }),
    ...(example !== undefined && { example }),
    ...(options && { options: [...options] }),
    ...(isOptional && first !== undefined && { default: first }),
    ...(requiredWhen && { requiredWhen: { ...requiredWhen } }),
  }
}

function defaultOf({ byDefault, options }: Pick<PartInfo, 'byDefault' | 'options'>): string | undefined {
  return byDefault ?? options?.[0]
}

/**
 * The parts to send: cleaned, secret, with defaults for missing ones. Throws `input_invalid` for each part that is missing, unknown or
 * cannot be sent.
 */
export function readParts(
  title: string,
  declared: PartInfos,
  given: Readonly<Record<string, Secret>>,
): ReadonlyMap<string, Secret> {
  const values = new Map(Object.entries(given).map(([name, part]) => [name, trim(part.open())]))
  const unknown = [...values.keys()].filter((name) => !Object.hasOwn(declared, name))
  const errors = unknown.map((name) => faultAt(name, unknownPart(title, Object.keys(declared))))
  const parts = new Map<string, Secret>()
  for (const [name, info] of Object.entries(declared)) {
    const value = values.get(name) || (info.isOptional ? defaultOf(info) : undefined)
    if (value !== undefined) parts.set(name, new Secret(value))
    const fault = faultOf(value, info, values)
    if (fault !== undefined) errors.push(faultAt(name, `${title}: ${fault}`))
  }
  if (errors.length > 0) throw inputError(errors)
  return parts
}

function unknownPart(title: string, names: readonly string[]): string {
  return names.length === 0
    ? `A ${title} credential has no other parts.`
    : `${title} has no such part; its parts are ${names.join(', ')}.`
}

function faultOf(value: string | undefined, info: PartInfo, values: ReadonlyMap<string, string>): string | undefined {
  const { label, isOptional, options, mustMatch = '' } = info
  if (value === undefined)
    return isOptional && !isWanted(info, values) ? undefined : `the ${label} is missing, and is required for this key.`
  if (!/^[\x20-\x7e]+$/.test(value)) return `the ${label} contains characters that it cannot have.`
  if (!new RegExp(mustMatch).test(value)) return `the ${label} is not well-formed.`
  return options && !options.includes(value) ? `the ${label} must be one of ${options.join(', ')}.` : undefined
}

function isWanted({ requiredWhen = {} }: PartInfo, values: ReadonlyMap<string, string>): boolean {
  return Object.entries(requiredWhen).some(([name, pattern]) => new RegExp(pattern).test(values.get(name) ?? ''))
}

/** The contract allows only letters and digits in names, so the pointer needs no escaping. */
function faultAt(name: string, detail: string): InputFault {
  return { at: `/parts/${name}`, detail }
}

/** The label of the first part that does not look as it usually does. */
export function unusualPartOf(declared: PartInfos, values: ReadonlyMap<string, Secret>): string | undefined {
  const unusual = Object.entries(declared).find(([name, { pattern }]) => {
    const value = values.get(name)
    return pattern !== undefined && value !== undefined && !new RegExp(pattern).test(value.open())
  })
  return unusual?.[1].label
}
