import { KeyCheckError, type KeyType, keyTypeNames, type ProviderInfo } from '../api.ts'
import { nearest } from './nearest.ts'
import { fieldsOf } from './parts.ts'
import { isProvider, type Provider } from './provider.ts'
import { importProviderFiles } from './provider-files.ts'

export type Providers = ReadonlyMap<string, Provider>

/** Reads the folder: every file in it is a provider, named by its id. Sorted by id. A file that is not one stops the start. */
export async function readProviders(folder?: URL): Promise<Providers> {
  const files = await importProviderFiles(folder)
  return new Map([...files].map(([id, found]) => [id, readProvider(id, found)]))
}

/** Those that can be called: the servers of an operator only where their addresses are configured. */
export function withAddress(providers: Providers, baseUrls: Readonly<Record<string, string>>): Providers {
  const hasAddress = ([id, { isOwnServer }]: [string, Provider]) => !isOwnServer || Object.hasOwn(baseUrls, id)
  return new Map([...providers].filter(hasAddress))
}

export function infoOf(provider: Provider): ProviderInfo {
  const { id, title, docs, keyPage, keyTypes, certainty, remarks } = provider
  const taken = keyTypeNames.flatMap((keyType) => {
    const info = keyTypes[keyType]
    if (!info) return []
    const { label, email } = info
    return [{ keyType, label, email, asked: firstCall(provider, keyType), fields: fieldsOf(info) }]
  })
  return { id, title, docs, keyPage, keyTypes: taken, certainty, ...(remarks !== undefined && { remarks }) }
}

/** A provider with several calls decides on the others by the answer. */
export function firstCall(provider: Provider, keyType: KeyType): string {
  const { method, url } = requestOf(provider, keyType)
  return `${method} ${url}`
}

/** The first call for a credential with nothing in it but what holds where it is omitted. */
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

/** Error `provider_unsupported`, with the reason where the provider is known. */
export function findProvider(providers: Providers, id: string, listedBy: string): Provider {
  const found = providers.get(id)
  if (found) return found
  const detail = `${whyNot(providers, id)}; ${listedBy} lists those that are supported.`
  throw new KeyCheckError('provider_unsupported', detail, [{ at: '/provider', detail }])
}

function whyNot(providers: Providers, id: string): string {
  const other = Object.hasOwn(otherIds, id) ? providers.get(otherIds[id] ?? '') : undefined
  if (other) return `${other.title} has the id ${other.id} here`
  if (Object.hasOwn(leftOut, id)) return leftOut[id] ?? ''
  const similar = nearest(id, [...providers.keys()])
  const none = 'No provider of this id is supported'
  return similar === undefined ? none : `${none}, the nearest is ${similar}`
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

/** Ids that people try for providers that have another one here. */
const otherIds: Readonly<Record<string, string>> = {
  aws: 'route53',
  cloudfront: 'route53',
  gcp: 'googlecloud',
  gcloud: 'googlecloud',
  google: 'googlecloud',
  azuredns: 'azure',
  alibaba: 'alidns',
  tencent: 'tencentcloud',
  dnspod: 'tencentcloud',
  ovhcloud: 'ovh',
  edgedns: 'akamai',
  huawei: 'huaweicloud',
  ibm: 'ibmcloud',
  oci: 'oraclecloud',
  oracle: 'oraclecloud',
}

/** Providers that people ask for, and why their credentials cannot be checked. */
export const leftOut: Readonly<Record<string, string>> = {
  easydns: 'easyDNS answers wrong keys and too many calls alike, and no read is known that takes no domain',
  imperva: 'No source says what Imperva answers to a wrong key, or to a good one',
  internetbs: 'No source says what Internet.bs answers to a wrong key, or to a good one',
  inwx: 'INWX has no call that only reads: each check would sign in, and open a session of the owner',
  netcup: 'netcup has no call that only reads: each check would sign in, and open a session of the owner',
  powerdns:
    'PowerDNS runs on servers of its users, so the operator sets its address: MUSTER_PROVIDER_POWERDNS_URL, or baseUrls where the engine is embedded',
  rfc2136: 'RFC 2136 is no HTTP: its keys sign messages to a name server of the owner',
}
