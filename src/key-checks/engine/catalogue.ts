import { refuse } from '../../platform/problems.ts'
import { keyTypeNames, type ProviderInfo } from '../contract.ts'
import { fieldsOf } from './parts.ts'
import { isProvider, type KeyType, type Provider } from './provider.ts'
import { importProviderFiles } from './provider-files.ts'

export type Providers = ReadonlyMap<string, Provider>

/** Reads the folder: every file in it is a provider, named by its id. Sorted by id. A file that is not one stops the start. */
export async function readProviders(folder?: URL): Promise<Providers> {
  const files = await importProviderFiles(folder)
  return new Map([...files].map(([id, found]) => [id, readProvider(id, found)]))
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
  const { path, body, form, origin } = firstProbe({ keyType, shape: 'any' }).request(credential, {
    nowMs: 0,
    nonce: '',
  })
  const method = body === undefined && form === undefined ? 'GET' : 'POST'
  return { method, url: `${origin === undefined ? baseUrl : origins[origin]}${path}` }
}

/** Problem `provider_unsupported`, with the reason where the provider is known. */
export function findProvider(providers: Providers, id: string): Provider {
  const found = providers.get(id)
  if (found) return found
  const reason = Object.hasOwn(notHere, id) ? notHere[id] : undefined
  const list = 'GET /api/v1/providers lists those that are supported.'
  const detail = `${reason ?? 'No provider of this id is supported'}; ${list}`
  return refuse('provider_unsupported', { detail, errors: [{ pointer: '/provider', detail }] })
}

function readProvider(id: string, found: unknown): Provider {
  const value = typeof found === 'object' && found !== null && 'default' in found ? found.default : undefined
  if (!isProvider(value)) throw new Error(`src/key-checks/providers: ${id} does not export a provider as its default`)
  if (value.id !== id) throw new Error(`src/key-checks/providers: the file ${id} holds the provider ${value.id}`)
  const addresses = [value.baseUrl, ...Object.values(value.origins ?? {})]
  if (addresses.some((address) => new URL(address).protocol !== 'https:'))
    throw new Error(`src/key-checks/providers: ${id} has no https address`)
  return value
}

/** Providers people ask for whose credentials do not fit, and those that have another id here. */
const notHere: Readonly<Record<string, string>> = {
  easydns: 'easyDNS answers wrong keys and too many calls alike',
  akamai: 'Akamai EdgeGrid has a host in the credential, which is never called here',
  imperva: 'Imperva takes an id and a key',
  internetbs: 'Internet.bs takes a key and a password',
  aws: 'AWS has the id route53 here',
  cloudfront: 'AWS has the id route53 here',
  gcp: 'Google Cloud has the id googlecloud here',
  gcloud: 'Google Cloud has the id googlecloud here',
  azuredns: 'Azure has the id azure here',
  alibaba: 'Alibaba Cloud has the id alidns here',
  tencent: 'Tencent Cloud has the id tencentcloud here',
  ovhcloud: 'OVHcloud has the id ovh here',
}
