import type { Recording } from '../simulator/recording.ts'
import { isForm } from '../simulator/signatures.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/namecheap @e23b58a'

export const recording: Recording = {
  id: 'namecheap',
  keyType: 'api_key',
  parts: { username: 'example', clientIp: '203.0.113.7' },
  call: {
    method: 'POST',
    path: '/xml.response',
    headers: {},
    accepts: (sent, { apiKey, parts: { username = '', clientIp = '' } }) =>
      isForm(sent, {
        ApiUser: username,
        ApiKey: apiKey,
        UserName: username,
        ClientIp: clientIp,
        Command: 'namecheap.domains.getInfo',
        DomainName: 'example.dev',
      }),
  },
  asks: { zone: 'example.dev' },
  answers: [
    {
      ...domain('own', '<Modificationrights All="true" />'),
      source: cassettes,
      shows: { capabilities: shown(['zones:list', 'dns:read', 'dns:edit']), fitsPurpose: 'yes' },
    },
    {
      ...domain(
        'shared',
        '<Modificationrights All="false"><Rights Type="dns">OK</Rights><Rights Type="hosts">OK</Rights></Modificationrights>',
      ),
      source: cassettes,
      shows: { capabilities: shown(['zones:list', 'dns:read', 'dns:edit']), fitsPurpose: 'yes' },
    },
    {
      ...domain(
        'shared-without-dns',
        '<Modificationrights All="false"><Rights Type="extend">OK</Rights></Modificationrights>',
      ),
      verdict: { isValid: true, code: 'ability_missing' },
      source: `${cassettes} (the form)`,
      shows: { capabilities: { ...shown(['zones:list']), lacks: ['dns:edit'] }, fitsPurpose: 'yes' },
    },
    {
      ...domain('other-dns', '<Modificationrights All="true" />', 'IsUsingOurDNS="false"'),
      source: 'namecheap/go-namecheap-sdk docs/namecheap-api-v2.md @c158a5d (the member)',
      shows: {
        capabilities: { ...shown(['zones:list']), missing: ['the DNS servers of Namecheap'] },
        fitsPurpose: 'no',
      },
    },
    {
      ...domain('not-shared', '<Modificationrights />'),
      source: 'namecheap/go-namecheap-sdk namecheaptest/fixtures/domains_getInfo.xml @c158a5d',
      shows: { capabilities: shown(['zones:list']), fitsPurpose: 'no' },
    },
    {
      ...answer(
        'no-zone',
        'ERROR',
        '<Errors><Error Number="2030166">Domain is invalid</Error></Errors>',
        '<DomainGetInfoResult ID="0" IsOwner="false" IsPremium="false" />',
      ),
      source: cassettes,
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: shown(['zones:list']), fitsPurpose: 'no' },
    },
    {
      ...answer('denied', 'ERROR', '<Errors><Error Number="4011103">Access denied</Error></Errors>', ''),
      source: 'namecheap/go-namecheap-sdk docs/namecheap-api-v2.md @c158a5d (of several causes)',
    },
  ],
}

function shown(abilities: readonly string[]) {
  return { abilities, zones: ['example.com'], moreZones: true }
}

function domain(name: string, rights: string, dns = 'IsUsingOurDNS="true"') {
  const owner = `OwnerName="other" IsOwner="${name === 'own' || name === 'other-dns'}"`
  const result = `<DomainGetInfoResult Status="Ok" ID="589667" DomainName="example.dev" ${owner} IsPremium="false">
      <DnsDetails ProviderType="FREE" ${dns} HostCount="31"><Nameserver>dns1.registrar-servers.com</Nameserver></DnsDetails>
      ${rights}
    </DomainGetInfoResult>`
  return { ...answer(name, 'OK', '<Errors />', result), verdict: { isValid: true, code: 'valid' } }
}

function answer(name: string, status: 'OK' | 'ERROR', errors: string, result: string) {
  return {
    name,
    status: 200,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<?xml version="1.0" encoding="utf-8"?>
<ApiResponse Status="${status}" xmlns="http://api.namecheap.com/xml.response">
  ${errors}
  <Warnings />
  <RequestedCommand>namecheap.domains.getinfo</RequestedCommand>
  <CommandResponse Type="namecheap.domains.getInfo">${result}</CommandResponse>
</ApiResponse>
`,
  }
}
