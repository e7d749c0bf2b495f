import { readFile } from 'node:fs/promises'
import type { Field, KeyCheck, KeyChecks, KeyType, ProviderInfo } from '../../key-check/index.ts'
import { Secret } from '../../src/platform/secret.ts'
import { Fault } from '../errors.ts'
import { askOne, askSecret, askText, canAsk, readSecret } from '../prompt.ts'

/** Options that describe one credential. */
export interface GivenCredential {
  readonly keyType?: KeyType
  readonly email?: string
  /** `name=value`: parts that are not secret. */
  readonly part?: readonly string[]
  /** `name=path`: parts from files. */
  readonly partFile?: readonly string[]
}

/** A credential whose secrets are still closed. */
export interface Credential extends Omit<KeyCheck, 'apiKey' | 'parts'> {
  readonly apiKey: Secret
  readonly parts?: Readonly<Record<string, Secret>> | undefined
}

/** Opens the secrets for one check. */
export function openCredential({ apiKey, parts = {}, ...rest }: Credential): KeyCheck {
  const values = Object.entries(parts).map(([name, part]) => [name, part.open()])
  return { ...rest, apiKey: apiKey.open(), parts: Object.fromEntries(values) }
}

/** Reads the key from standard input or, on a terminal, prompts for it and for missing parts. */
export async function completeCredential(
  options: GivenCredential,
  checks: KeyChecks,
  provider: string,
): Promise<Credential> {
  const info = infoOf(checks, provider)
  const keyType = options.keyType ?? (info ? await chooseKeyType(info) : 'api_token')
  const taken = info?.keyTypes.find((type) => type.keyType === keyType)
  // The check rejects unsupported providers and key types with a reason. Do not ask for a key before that.
  if (!info || !taken) return { provider, keyType, apiKey: new Secret('') }
  const lacksEmail = taken.email === 'required' && options.email === undefined && canAsk()
  const email = lacksEmail ? await askText(`Email of the ${info.title} account`, emptyFault) : options.email
  const parts = await completeParts(info.title, taken.fields, options)
  const key = taken.fields.find(({ name }) => name === 'apiKey')
  if (key?.multiline && canAsk()) throw new Fault(`The ${key.label} is a file. Pipe it into this command: < path`)
  return {
    provider: info.id,
    keyType,
    email,
    parts,
    apiKey: await readKey(`${info.title} ${key?.label ?? taken.label}`),
  }
}

/** The provider with this id or other name. */
export function infoOf(checks: Pick<KeyChecks, 'providers' | 'providerId'>, name: string): ProviderInfo | undefined {
  const found = checks.providerId(name)
  return checks.providers().find(({ id }) => id === found)
}

async function chooseKeyType({ title, keyTypes }: ProviderInfo): Promise<KeyType> {
  const [only, ...others] = keyTypes
  if (only && others.length === 0) return only.keyType
  const names = keyTypes.map(({ keyType }) => keyType)
  if (!canAsk()) throw new Fault(`${title} has several types of keys. Add --key-type ${names.join(' or ')}.`)
  return askOne(
    `Type of the ${title} key`,
    keyTypes.map(({ keyType, label }) => ({ value: keyType, label, hint: keyType })),
  )
}

function readKey(what: string): Promise<Secret> {
  return canAsk() ? askSecret(what, emptyFault) : readSecret(`the ${what}`)
}

type Parts = Record<string, Secret>

/** Reads the other parts of a credential from options and prompts. The check itself rejects missing parts. */
async function completeParts(title: string, fields: readonly Field[], given: GivenCredential): Promise<Parts> {
  const parts = await readGiven(fields, given)
  for (const field of fields) {
    if (!isPart(field) || parts[field.name] !== undefined || !canAsk() || !isAsked(field, parts)) continue
    const isRequired = field.required || field.requiredWhen !== undefined
    const question = `${title}: ${field.label}${isRequired ? '' : ' (optional)'}`
    const faultOf = isRequired ? emptyFault : () => undefined
    const value = field.secret ? await askSecret(question, faultOf) : new Secret(await askText(question, faultOf))
    if (value.open() !== '') parts[field.name] = value
  }
  return parts
}

function emptyFault(value: string): string | undefined {
  return value.trim() === '' ? 'Enter a value.' : undefined
}

function isPart({ at }: Field): boolean {
  return at.startsWith('/parts/')
}

/** Does not prompt for parts with a default, nor for parts that this credential does not have. */
function isAsked({ options, required, requiredWhen }: Field, parts: Parts): boolean {
  if (requiredWhen === undefined) return required || options === undefined
  return Object.entries(requiredWhen).some(([name, pattern]) => new RegExp(pattern).test(parts[name]?.open() ?? ''))
}

async function readGiven(fields: readonly Field[], { part = [], partFile = [] }: GivenCredential): Promise<Parts> {
  const parts: Parts = {}
  for (const text of part) {
    const [name, value] = pairOf(text, '--part')
    if (fields.some((field) => field.name === name && field.secret))
      throw new Fault(`Use --part-file for ${name}: other users of the machine can see arguments.`)
    parts[name] = new Secret(value)
  }
  for (const text of partFile) {
    const [name, path] = pairOf(text, '--part-file')
    const content = await readFile(path, 'utf8').catch(() => {
      throw new Fault(`Cannot read ${path}.`)
    })
    parts[name] = new Secret(content.replace(/\r?\n$/, ''))
  }
  return parts
}

/** The message does not quote malformed text, which may be a secret. */
function pairOf(text: string, option: string): [name: string, value: string] {
  const [, name, value] = /^([a-z][A-Za-z0-9]{0,39})=(.+)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new Fault(`${option} must have the form ${option === '--part' ? 'name=value' : 'name=path'}.`)
  return [name, value]
}
