import { type Field, type KeyType, type KeyTypeInfo, keyTypeNames, type ProviderInfo } from '../api.ts'
import { defaultOf } from './credential.ts'
import { isProvider, type Provider } from './provider.ts'
import type { KeyTypeFacts, PartInfo } from './provider-facts.ts'
import { importProviderFiles } from './provider-files.ts'

export type Providers = ReadonlyMap<string, Provider>

/** Reads every file in the folder as a provider whose id is the file name. Sorted by id. Throws if a file is not a provider. */
export async function readProviders(folder?: URL): Promise<Providers> {
  const files = await importProviderFiles(folder)
  return new Map([...files].map(([id, found]) => [id, readProvider(id, found)]))
}

/** The providers that can be called. Self-hosted servers are included only if their addresses are configured. */
export function withAddress(providers: Providers, baseUrls: Readonly<Record<string, string>>): Providers {
  const hasAddress = ([id, { isOwnServer }]: [string, Provider]) => !isOwnServer || Object.hasOwn(baseUrls, id)
  return new Map([...providers].filter(hasAddress))
}

/** The providers whose keys name an address of this server, with the first one that has the right form as its default. */
export function withOutgoingAddress(providers: Providers, addresses: readonly string[]): Providers {
  if (addresses.length === 0) return providers
  const filled = (part: PartInfo): PartInfo => {
    if (!part.isOutgoingAddress) return part
    const address = addresses.find((one) => new RegExp(part.pattern ?? '').test(one))
    return address === undefined ? part : { ...part, isOptional: true, byDefault: address }
  }
  const partsOf = (info: KeyTypeFacts): KeyTypeFacts =>
    info.parts ? { ...info, parts: mapValues(info.parts, filled) } : info
  return new Map(
    [...providers].map(([id, provider]) => [id, { ...provider, keyTypes: mapValues(provider.keyTypes, partsOf) }]),
  )
}

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

export function infoOf(provider: Provider): ProviderInfo {
  const { id, title, docs, keyPage, keyTypes, certainty, remarks } = provider
  const supported = keyTypeNames.flatMap((keyType): KeyTypeInfo[] => {
    const info = keyTypes[keyType]
    if (!info) return []
    const { label, email = 'unused' } = info
    return [{ keyType, label, email, asked: firstCall(provider, keyType), fields: fieldsOf(info) }]
  })
  return { id, title, docs, keyPage, keyTypes: supported, certainty, ...(remarks !== undefined && { remarks }) }
}

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

/** The first call of a check. Later calls depend on the answer. */
export function firstCall(provider: Provider, keyType: KeyType): string {
  const { method, url } = requestOf(provider, keyType)
  return `${method} ${url}`
}

/** The first call for an empty credential with default parts. */
function requestOf({ baseUrl, origins = {}, firstProbe, keyTypes }: Provider, keyType: KeyType) {
  const declared = Object.entries(keyTypes[keyType]?.parts ?? {})
  const parts = Object.fromEntries(declared.map(([name, { options }]) => [name, options?.[0] ?? `{${name}}`]))
  const credential = { apiKey: '', email: '', keyType, parts }
  const {
    path,
    body,
    form,
    origin,
    label = '*',
  } = firstProbe({ keyType, shape: 'any' }).request(credential, {
    nowMs: 0,
    nonce: '',
  })
  const method = body === undefined && form === undefined ? 'GET' : 'POST'
  const address = (origin === undefined ? baseUrl : origins[origin]) ?? ''
  return { method, url: `${address.replace('*', label)}${path}` }
}

function readProvider(id: string, found: unknown): Provider {
  const value = typeof found === 'object' && found !== null && 'default' in found ? found.default : undefined
  if (!isProvider(value)) throw new Error(`key-check/providers: ${id} does not export a provider as its default`)
  if (value.id !== id) throw new Error(`key-check/providers: the file ${id} holds the provider ${value.id}`)
  const addresses = [value.baseUrl, ...Object.values(value.origins ?? {})]
  if (addresses.some((address) => new URL(address).protocol !== 'https:'))
    throw new Error(`key-check/providers: ${id} has no https address`)
  return value
}
