import { readFile } from 'node:fs/promises'
import type { Field, ProviderInfo } from '../../key-check/index.ts'
import { Secret } from '../../src/platform/secret.ts'
import { Fault } from '../fault.ts'
import { askSecret, askText, canAsk } from '../prompt.ts'

export interface GivenParts {
  /** `name=value`: parts that others on the machine may see. */
  readonly part?: readonly string[]
  /** `name=path`: parts from files. */
  readonly partFile?: readonly string[]
}

type Parts = Record<string, Secret>

/** The parts beside the key, from the options and, on a terminal, from prompts. What is missing otherwise is left to the check. */
export async function completeParts(title: string, fields: readonly Field[], given: GivenParts): Promise<Parts> {
  const parts = await readGiven(fields, given)
  for (const field of fields) {
    if (!isPart(field) || parts[field.name] !== undefined || !canAsk() || !isAsked(field, parts)) continue
    const isRequired = field.required || field.requiredWhen !== undefined
    const question = `${title}: ${field.label}${isRequired ? '' : ' (may be empty)'}`
    const faultOf = isRequired ? emptyFault : () => undefined
    const value = field.secret ? await askSecret(question, faultOf) : new Secret(await askText(question, faultOf))
    if (value.open() !== '') parts[field.name] = value
  }
  return parts
}

/** The names of all parts that the providers have: columns of a file. */
export function partNamesOf(catalogue: readonly ProviderInfo[]): ReadonlySet<string> {
  const fields = catalogue.flatMap(({ keyTypes }) => keyTypes.flatMap((keyType) => keyType.fields))
  return new Set(fields.filter(isPart).map(({ name }) => name))
}

export function emptyFault(value: string): string | undefined {
  return value.trim() === '' ? 'Something has to stand here.' : undefined
}

function isPart({ at }: Field): boolean {
  return at.startsWith('/parts/')
}

/** A part that has a default is not asked for, and one that only some credentials have is asked for with these. */
function isAsked({ options, required, requiredWhen }: Field, parts: Parts): boolean {
  if (requiredWhen === undefined) return required || options === undefined
  return Object.entries(requiredWhen).some(([name, pattern]) => new RegExp(pattern).test(parts[name]?.open() ?? ''))
}

async function readGiven(fields: readonly Field[], { part = [], partFile = [] }: GivenParts): Promise<Parts> {
  const parts: Parts = {}
  for (const text of part) {
    const [name, value] = pairOf(text, '--part')
    if (fields.some((field) => field.name === name && field.secret))
      throw new Fault(`Others on the machine can see arguments: give ${name} with --part-file.`)
    parts[name] = new Secret(value)
  }
  for (const text of partFile) {
    const [name, path] = pairOf(text, '--part-file')
    const content = await readFile(path, 'utf8').catch(() => {
      throw new Fault(`There is no file ${path} that can be read.`)
    })
    parts[name] = new Secret(content.replace(/\r?\n$/, ''))
  }
  return parts
}

/** The text is not quoted where it is no pair: it may be a value. */
function pairOf(text: string, option: string): [name: string, value: string] {
  const [, name, value] = /^([a-z][A-Za-z0-9]{0,39})=(.+)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new Fault(`${option} takes a name, = and a value.`)
  return [name, value]
}
