import Type from 'typebox'
import { contract, named, text } from '../platform/http/contract.ts'
import { KeyCheck, providerKeysValidateContract } from './contract.ts'

const batchKeysMax = 1_000
/** Maximum members of one key, including its parts and purpose: 22 by contract. */
const keyItemsMax = 32

/** Accepts any object, because an invalid key becomes a problem on its line. */
const BatchItem = Type.Union([
  KeyCheck,
  Type.Object({}, { additionalProperties: true, description: 'Any other object becomes a problem on its line.' }),
])

const exampleLines = [
  { index: 0, isValid: true, message: 'The Cloudflare API token is genuine; its permissions were not checked.' },
  {
    index: 1,
    problem: {
      type: '/docs/problems.md#input_invalid',
      title: 'The request is invalid.',
      status: 400,
      code: 'input_invalid',
      detail: 'See `errors` for every invalid value.',
      instance: 'urn:uuid:2f1c6f0e-7f0a-4a3e-9a39-6f1f0f3d4d50',
      errors: [{ pointer: '/keys/1/keyType', detail: 'is required' }],
    },
  },
  {
    index: 2,
    problem: {
      type: '/docs/problems.md#provider_busy',
      title: 'The provider cannot be called right now.',
      status: 503,
      code: 'provider_busy',
      detail: 'Cloudflare is rate limiting this service; try again later.',
      instance: 'urn:uuid:2f1c6f0e-7f0a-4a3e-9a39-6f1f0f3d4d50',
    },
    retryAfterSeconds: 60,
  },
]

export const providerKeysValidateBatchContract = contract(
  'POST /api/v1/provider/keys/validate-batch',
  'provider_keys:validate',
  {
    id: 'validateProviderKeys',
    bodyBytesMax: 4_194_304,
    bodyItemsMax: batchKeysMax * keyItemsMax,
    tag: 'Provider keys',
    summary: 'Validate many provider API keys',
    description: `Checks up to ${batchKeysMax} keys, each as \`POST ${providerKeysValidateContract.path}\` does. Each check counts toward the same limits and is in the audit log. The request itself counts as one change. The response has one line per key, in the order of the request, sent as soon as it is ready.`,
    query: providerKeysValidateContract.query,
    headers: providerKeysValidateContract.headers,
    body: named('KeyBatch', {
      keys: Type.Array(BatchItem, { minItems: 1, maxItems: batchKeysMax }),
    }),
    bodyExamples: {
      two: {
        summary: 'Two tokens',
        value: {
          keys: [
            { apiKey: 'cfut_AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDDDDDDDDb6bfc6d6', keyType: 'api_token' },
            { provider: 'hetzner', apiKey: 'not-a-real-token', keyType: 'api_token' },
          ],
        },
      },
    },
    answers: {
      200: {
        description: 'One line per key',
        content: {
          'application/x-ndjson': {
            schema: text(
              'One JSON object per line: `index`, the position in `keys` from 0, and either the members of a single check’s response or `problem` (RFC 9457), with `retryAfterSeconds` if a later check may succeed.',
            ),
            examples: {
              lines: {
                summary: 'Three keys',
                value: exampleLines.map((line) => `${JSON.stringify(line)}\n`).join(''),
              },
            },
          },
        },
      },
    },
  },
)
