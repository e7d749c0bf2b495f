import type { Recording } from '../simulator/recording.ts'
import { isSignedConstellix } from '../simulator/signatures.ts'

/** The call after a rejection in `constellix.ts`, with the same keys. */
export const recording: Recording = {
  id: 'constellix',
  keyType: 'api_key',
  parts: { apiKeyId: '1c1a3c91-4770-4ce7-96f4-54c0eb0e457a' },
  call: {
    method: 'GET',
    path: '/v1/domains?max=1&offset=0',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedConstellix(sent, parts.apiKeyId ?? '', apiKey),
  },
  answers: [
    {
      name: 'version-1',
      source: 'go-acme/lego providers/dns/constellix/internal/fixtures/domains-GetAll.json @a0e15c2',
      status: 200,
      body: [{ id: 273301, name: 'aaa.example', typeId: 1, version: 9, status: 'ACTIVE' }],
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'refused',
      madeUp: 'a test double of octodns-constellix',
      status: 401,
      body: { errors: ['Unable to authenticate token'] },
    },
  ],
}
