import { KeyCheckError } from '../api.ts'
import { nearestName } from '../nearest-name.ts'
import type { Providers } from './catalogue.ts'
import type { Provider } from './provider.ts'

/**
 * Finds a provider by its id, its title or the name that another tool has for it, in any case and with any of the prefixes of those tools.
 * Throws `provider_unsupported`, with the reason if the provider is known, and with the choices if several providers have the name.
 */
export function findProvider(providers: Providers, name: string, listedBy: string): Provider {
  const [found, ...others] = providersNamed(providers, name)
  if (found && others.length === 0) return found
  const reason = found
    ? `Several providers have this name: ${choicesOf([found, ...others])}`
    : unsupported(providers, name)
  const detail = `${reason}; see ${listedBy} for the supported providers.`
  throw new KeyCheckError('provider_unsupported', detail, [{ at: '/provider', detail }])
}

/** Every provider that the name can mean. An id means its own provider only. */
export function providersNamed(providers: Providers, name: string): readonly Provider[] {
  for (const form of formsOf(name)) {
    const named = providers.get(form)
    const found = named ? [named] : [...providers.values()].filter((provider) => hasName(provider, form))
    if (found.length > 0) return found
  }
  return []
}

function hasName({ id, title }: Provider, form: string): boolean {
  return plain(title) === form || (otherNames[id] ?? []).includes(form)
}

/** The name as it is, and without the prefix of acme.sh (`dns_cf`) or certbot (`certbot-dns-route53`). Only names, no other text. */
function formsOf(name: string): readonly string[] {
  if (!/^[a-z0-9]+(?:[ ._-]+[a-z0-9]+)*$/i.test(name)) return []
  return [plain(name), plain(name.replace(/^(?:certbot-)?dns[_-]/i, ''))]
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

function choicesOf(providers: readonly Provider[]): string {
  return providers.map(({ id, title }) => `${id} (${title})`).join(' or ')
}

function unsupported(providers: Providers, name: string): string {
  for (const form of formsOf(name)) {
    const id = Object.keys(otherNames).find((one) => otherNames[one]?.includes(form)) ?? form
    if (Object.hasOwn(unsupportedProviders, id)) return unsupportedProviders[id] ?? ''
  }
  const similar = nearestName(plain(name), [...providers.keys()])
  const none = 'No provider with this id is supported'
  return similar === undefined ? none : `${none} (did you mean ${similar}?)`
}

/**
 * Names of a provider elsewhere, in lower case without signs: lego @a0e15c2, acme.sh @d60c75b, DNSControl @e0e32ca, external-dns @2bf1bf8,
 * certbot, Terraform, former and common names. Titles are names too. A name of two providers is ambiguous.
 */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  akamai: ['edgedns', 'fastdns', 'akamaiedgedns', 'akamaicloud'],
  alidns: ['ali', 'alibaba', 'alicloud', 'aliyun'],
  arvancloud: ['arvan'],
  azure: ['azuredns', 'azurerm', 'microsoftazure'],
  bunny: ['bunnydns'],
  cloudflare: ['cf', 'cloudflareapi', 'cloudflaredns'],
  cloudns: ['clouddns'],
  digitalocean: ['dgon', 'do'],
  dnsmadeeasy: ['dme', 'dnsme'],
  domeneshop: ['domainnameshop'],
  gandi: ['gandilivedns', 'gandiv5'],
  godaddy: ['gd'],
  googlecloud: ['clouddns', 'gcloud', 'gcp', 'google', 'googleclouddns'],
  hetzner: ['hcloud', 'hetznercloud'],
  huaweicloud: ['huawei'],
  ibmcloud: ['ibm'],
  ionos: ['1and1', '1und1', 'oneandone'],
  ionoscloud: ['1and1', '1und1', 'oneandone'],
  linode: ['akamaicloud', 'linodev4'],
  namecom: ['namedotcom'],
  ns1: ['ibmns1connect', 'nsone'],
  oraclecloud: ['oci', 'oracle'],
  powerdns: ['pdns'],
  rcodezero: ['rcode0'],
  route53: ['amazon', 'amazonroute53', 'amazonwebservices', 'awsroute53', 'cloudfront'],
  simply: ['unoeuro'],
  tencentcloud: ['dnspod', 'tencent'],
  timewebcloud: ['timeweb'],
  ultradns: ['ultra'],
}

/** Unsupported providers that users ask for, with the reason. */
export const unsupportedProviders: Readonly<Record<string, string>> = {
  easydns:
    'easyDNS responds the same way to wrong keys and to rate limits, and has no read that works without a domain',
  googledomains: 'Google Domains has ended, and its successor Squarespace has no API for DNS records',
  imperva: 'Imperva does not document its responses to valid or invalid keys',
  internetbs: 'Internet.bs does not document its responses to valid or invalid keys',
  inwx: 'INWX has no read-only call: each check would sign in as the owner',
  powerdns:
    'PowerDNS is self-hosted, so the operator must set its address: MUSTER_PROVIDER_POWERDNS_URL, or baseUrls in the library',
  rfc2136: "RFC 2136 does not use HTTP: its keys sign messages to the owner's name server",
}
