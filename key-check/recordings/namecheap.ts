import type { RecordedAnswer, Recording } from '../simulator/recording.ts'
import { isForm } from '../simulator/signatures.ts'

function refusal(name: string, number: string, verdict?: { isValid: boolean; code: string }): RecordedAnswer {
  return {
    name,
    source: 'https://www.namecheap.com/support/api/error-codes/, 2026-11 (the number)',
    status: 200,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body: `<?xml version="1.0" encoding="utf-8"?>
<ApiResponse Status="ERROR" xmlns="http://api.namecheap.com/xml.response">
  <Errors><Error Number="${number}">Error</Error></Errors>
</ApiResponse>
`,
    ...(verdict && { verdict }),
  }
}

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
        Command: 'namecheap.domains.getList',
        PageSize: '10',
      }),
  },
  answers: [
    {
      name: 'valid',
      source: 'https://www.namecheap.com/support/api/methods/domains/get-list/, 2026-11',
      status: 200,
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body: `<?xml version="1.0" encoding="utf-8"?>
<ApiResponse Status="OK" xmlns="http://api.namecheap.com/xml.response">
  <Errors />
  <RequestedCommand>namecheap.domains.getList</RequestedCommand>
  <CommandResponse Type="namecheap.domains.getList">
    <DomainGetListResult>
      <Domain ID="127" Name="example.com" User="owner" IsExpired="false" />
    </DomainGetListResult>
    <Paging><TotalItems>1</TotalItems><CurrentPage>1</CurrentPage><PageSize>10</PageSize></Paging>
  </CommandResponse>
</ApiResponse>
`,
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zones: ['example.com'], moreZones: true } },
    },
    {
      name: 'wrong',
      source: 'go-acme/lego providers/dns/namecheap/internal/fixtures/setHosts_errorBadAPIKey1.xml @1c307ba',
      status: 200,
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body: `<?xml version="1.0" encoding="utf-8"?>
<ApiResponse Status="ERROR" xmlns="http://api.namecheap.com/xml.response">
  <Errors>
    <Error Number="1011102">API Key is invalid or API access has not been enabled</Error>
  </Errors>
  <Warnings />
</ApiResponse>
`,
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'address',
      source: 'namecheap/go-namecheap-sdk#4',
      status: 200,
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body: `<?xml version="1.0" encoding="utf-8"?>
<ApiResponse Status="ERROR" xmlns="http://api.namecheap.com/xml.response">
  <Errors>
    <Error Number="1011150">Invalid request IP: 50.242.74.11</Error>
  </Errors>
  <Warnings />
</ApiResponse>
`,
      problem: 'provider_address_refused',
    },
    refusal('unknown-user', '1019103', { isValid: false, code: 'unknown_part' }),
    refusal('user-locked', '1017103', { isValid: false, code: 'suspended' }),
    refusal('api-user-locked', '1017101', { isValid: false, code: 'suspended' }),
    { ...refusal('request-address-locked', '1017150'), problem: 'provider_address_refused' },
    { ...refusal('client-address-locked', '1017105'), problem: 'provider_address_refused' },
    refusal('declined-payments', '1017410'),
    refusal('too-many-logins', '1017411'),
    {
      name: 'other',
      madeUp: 'represents answers that the provider file does not list',
      status: 200,
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body: `<?xml version="1.0" encoding="utf-8"?>
<ApiResponse Status="ERROR" xmlns="http://api.namecheap.com/xml.response">
  <Errors>
    <Error Number="1">Other</Error>
    <Error Number="1011102">Two</Error>
  </Errors>
</ApiResponse>
`,
    },
    {
      name: 'external-entity',
      madeUp: 'no source shows the text of this refusal',
      status: 200,
      headers: { 'content-type': 'text/xml; charset=utf-8' },
      body: `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><ApiResponse Status="OK">&b;</ApiResponse>`,
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: { 'retry-after': '17' },
      body: {},
    },
  ],
}
