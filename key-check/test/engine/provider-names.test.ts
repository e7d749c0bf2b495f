import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readProviders } from '../../engine/catalogue.ts'
import { findProvider, providersNamed } from '../../engine/provider-names.ts'

const providers = await readProviders()
const idOf = (name: string) => findProvider(providers, name, 'The page').id

describe('a provider is found by', () => {
  test.each([...providers.values()].map(({ id, title }) => [id, title]))('its id and its title: %s', (id, title) => {
    for (const name of [id, title])
      expect([name, name.toUpperCase(), name.toLowerCase()].map(idOf)).toEqual([id, id, id])
  })

  test.each([
    ['aws', 'route53'],
    ['cloudfront', 'route53'],
    ['gcp', 'googlecloud'],
    ['google', 'googlecloud'],
    ['azuredns', 'azure'],
    ['AZURE_DNS', 'azure'],
    ['azurerm', 'azure'],
    ['alibabacloud', 'alidns'],
    ['alicloud', 'alidns'],
    ['tencent', 'tencentcloud'],
    ['dnspod', 'tencentcloud'],
    ['ovhcloud', 'ovh'],
    ['edgedns', 'akamai'],
    ['AKAMAIEDGEDNS', 'akamai'],
    ['huawei', 'huaweicloud'],
    ['ibm', 'ibmcloud'],
    ['oci', 'oraclecloud'],
    ['ORACLE', 'oraclecloud'],
    ['cf', 'cloudflare'],
    ['CLOUDFLAREAPI', 'cloudflare'],
    ['dns_cf', 'cloudflare'],
    ['do', 'digitalocean'],
    ['digital-ocean', 'digitalocean'],
    ['dns_dgon', 'digitalocean'],
    ['nsone', 'ns1'],
    ['hetznercloud', 'hetzner'],
    ['hcloud', 'hetzner'],
    ['GANDI_V5', 'gandi'],
    ['NAMEDOTCOM', 'namecom'],
    ['DOMAINNAMESHOP', 'domeneshop'],
    ['BUNNY_DNS', 'bunny'],
    ['dns_me', 'dnsmadeeasy'],
    ['dns_mythic_beasts', 'mythicbeasts'],
    ['certbot-dns-route53', 'route53'],
    ['dns-google', 'googlecloud'],
    ['pdns', 'powerdns'],
    ['Route 53', 'route53'],
  ])('the name that another tool has for it: %s is %s', (name, id) => {
    expect(idOf(name)).toBe(id)
  })
})

test.each([
  ['clouddns', 'cloudns (ClouDNS) or googlecloud (Google Cloud)'],
  ['CLOUD_DNS', 'cloudns (ClouDNS) or googlecloud (Google Cloud)'],
  ['1&1', undefined],
  ['1and1', 'ionos (IONOS) or ionoscloud (IONOS Cloud)'],
  ['Akamai Cloud', 'akamai (Akamai) or linode (Linode)'],
])('400 provider_unsupported — the error for the ambiguous name %s has the choices', (name, choices) => {
  const reason = choices ? `Several providers have this name: ${choices}` : 'No provider with this id is supported'
  const detail = `${reason}; see The page for the supported providers.`
  expect(() => idOf(name)).toThrow(
    expect.objectContaining({ code: 'provider_unsupported', message: detail, faults: [{ at: '/provider', detail }] }),
  )
})

test.each([
  '../cloudflare',
  '/cloudflare',
  'cloudflare/',
  'cloud\nflare',
  'сloudflare',
  '__proto__',
  'constructor',
  '',
])('text that is no name is no provider: %j', (name) => {
  expect(providersNamed(providers, name)).toEqual([])
})

test('case, blanks and separators never change what a name means', () => {
  const words = [...providers.values()].map(({ title }) => title.split(/[ .]/))
  const separator = fc.constantFrom('', ' ', '-', '_', '.')
  const name = fc.constantFrom(...words).chain((parts) =>
    fc
      .tuple(fc.array(separator, { minLength: parts.length, maxLength: parts.length }), fc.boolean())
      .map(([signs, isUpper]) => {
        const text = parts.map((part, at) => `${at === 0 ? '' : signs[at]}${part}`).join('')
        return { name: isUpper ? text.toUpperCase() : text, title: parts.join('') }
      }),
  )
  fc.assert(fc.property(name, ({ name: written, title }) => idOf(written) === idOf(title)))
})
