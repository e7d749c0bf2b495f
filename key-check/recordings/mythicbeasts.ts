import type { Recording } from '../simulator/recording.ts'
import { isBasic, isForm } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'mythicbeasts',
  keyType: 'api_key',
  parts: { keyId: 'kw5jsv4vrrkj2tlh' },
  call: {
    method: 'POST',
    path: '/login',
    headers: {},
    accepts: (sent, { apiKey, parts }) =>
      isBasic(sent, parts.keyId ?? '', apiKey) && isForm(sent, { grant_type: 'client_credentials' }),
  },
  answers: [
    {
      name: 'valid',
      source: 'go-acme/lego providers/dns/mythicbeasts/internal/fixtures/token.json @a0e15c2',
      status: 200,
      body: { access_token: 'xxx', expires_in: 666, token_type: 'bearer' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'wrong',
      source:
        'acmesh-official/acme.sh dnsapi/dns_mythic_beasts.sh @d60c75b (the code), RFC 6749 section 5.2 (its meaning)',
      status: 401,
      body: { error: 'invalid_client', error_description: 'Invalid client.' },
      verdict: { isValid: false, code: 'wrong_parts' },
    },
    {
      name: 'other-error',
      madeUp: 'the form is the one of go-acme/lego providers/dns/mythicbeasts/internal/types.go @a0e15c2',
      status: 400,
      body: { error: 'invalid_scope', error_description: 'No such scope.' },
    },
    { name: 'rate-limited', madeUp: 'stands for any 429', status: 429, headers: { 'retry-after': '17' }, body: {} },
  ],
}
