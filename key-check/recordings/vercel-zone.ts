import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/vercel @e23b58a'

export const recording: Recording = {
  id: 'vercel',
  keyType: 'api_token',
  call: {
    method: 'GET',
    path: '/v5/domains/example.tk?teamId=team_example',
    headers: { authorization: 'Bearer {key}' },
  },
  asks: { zone: 'example.tk' },
  answers: [
    {
      name: 'zone',
      source: cassettes,
      status: 200,
      body: {
        domain: {
          id: 'QmAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
          name: 'example.tk',
          serviceType: 'na',
          verified: true,
          nameservers: [],
          intendedNameservers: ['ns1.vercel-dns.com', 'ns2.vercel-dns.com'],
          zone: true,
        },
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: `${cassettes} (of another name)`,
      status: 404,
      body: { error: { code: 'not_found', message: 'Domain name `example.tk` not found', name: 'example.tk' } },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'other-team',
      source: 'zentered/vercel-preview-url#170 (shows nothing)',
      status: 403,
      body: {
        error: {
          code: 'forbidden',
          message:
            'Not authorized: Trying to access resource under scope "example". You must re-authenticate to this scope or use a token with access to this scope.',
          saml: true,
          teamId: null,
          scope: 'example',
          enforced: false,
        },
      },
    },
  ],
}
