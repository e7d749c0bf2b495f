import Type, { type Static } from 'typebox'
import { certainties, credentialCharsMax, keyTypeNames } from '../../key-check/index.ts'
import {
  contract,
  flag,
  json,
  jsonExamples,
  named,
  object,
  organizationParameter,
  text,
} from '../platform/http/contract.ts'
import { emailRules } from '../platform/http/formats.ts'
import { KeyDetails, KeyPurpose } from './details-contract.ts'

export const KeyCheck = named('KeyCheck', {
  apiKey: Type.String({
    minLength: 1,
    maxLength: credentialCharsMax,
    description: 'The credential. It is sent to the provider and never stored.',
  }),
  keyType: Type.Enum(keyTypeNames),
  email: Type.Optional(
    Type.String({
      ...emailRules,
      description: 'Required if the provider’s key type says so (Cloudflare: `api_key`).',
    }),
  ),
  provider: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'An id or a title from `GET /api/v1/providers`, or the name that another tool has for the provider, such as `aws` or `dns_cf`, in any case. Default: cloudflare.',
    }),
  ),
  parts: Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,39}$' }), Type.String({ maxLength: credentialCharsMax }), {
      additionalProperties: false,
      maxProperties: 12,
      description:
        'The other parts of the credential, by the names in `fields` of `GET /api/v1/providers`. They are sent to the provider and never stored.',
    }),
  ),
  for: Type.Optional(KeyPurpose),
})
export type KeyCheck = Static<typeof KeyCheck>

const KeyVerdict = named('KeyVerdict', {
  isValid: flag('Whether the provider accepts this credential as a genuine and active one of the stated type.'),
  message: Type.String({ maxLength: 200, description: 'One sentence for users, from a fixed catalogue.' }),
  details: Type.Optional(KeyDetails),
})

export const providerKeysValidateContract = contract('POST /api/v1/provider/keys/validate', 'provider_keys:validate', {
  id: 'validateProviderKey',
  countsItself: true,
  tag: 'Provider keys',
  summary: 'Validate provider API key',
  description:
    'Asks the provider whether it accepts the credential. An answer that proves nothing about the credential, such as a rejection without a known reason, is a 502, 503 or 504 problem, never `isValid: false`. A verdict on a valid key is cached for a minute, one that lacks something for 10 s, one on a rejected key for five minutes, or 5 s if the key may be too new for the provider. `details.cached` shows that an earlier check of the same caller had it, and `Cache-Control: no-cache` asks the provider again. A caller with several rejected keys at a provider gets 429 `key_checks_held` for that provider.',
  query: object({
    ...organizationParameter,
    details: Type.Optional(flag('Whether to add the member `details`.')),
  }),
  headers: object({
    'Cache-Control': Type.Optional(
      text(
        '`no-cache` calls the provider even if the verdict is cached, for example after a permission was added (RFC 9111 §5.2.1.4). Works once in 5 s per key; the caller’s share of failed keys still applies.',
      ),
    ),
  }),
  body: KeyCheck,
  bodyExamples: {
    token: {
      summary: 'An API token',
      value: { apiKey: 'cfut_AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDDDDDDDDb6bfc6d6', keyType: 'api_token' },
    },
    key: {
      summary: 'A global API key',
      value: { apiKey: 'd3d1443e0adc9c24564c6c5676d679d47e2ca', keyType: 'api_key', email: 'user@example.com' },
    },
    parts: {
      summary: 'A credential with several parts',
      value: {
        provider: 'route53',
        keyType: 'api_key',
        apiKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
        parts: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE' },
      },
    },
    purpose: {
      summary: 'With what it is for, and ?details=true',
      value: {
        apiKey: 'cfut_AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDDDDDDDDb6bfc6d6',
        keyType: 'api_token',
        for: { zone: 'example.com', ability: 'dns:edit' },
      },
    },
  },
  answers: {
    200: jsonExamples('API key validation result', KeyVerdict, {
      valid: {
        summary: 'In force',
        value: {
          isValid: true,
          message: 'The Cloudflare API token is genuine; its permissions were not checked.',
        },
      },
      detailed: {
        summary: 'With ?details=true',
        value: {
          isValid: true,
          message: 'The Cloudflare API token is valid and active; it expires on 2026-12-01, so renew it.',
          details: {
            provider: 'cloudflare',
            code: 'valid',
            credential: 'user_token',
            expiresOn: '2026-12-01T00:00:00.000Z',
            warnings: ['It expires on 2026-12-01.'],
            capabilities: { abilities: ['zones:list'], zonesVisible: 1, zones: ['example.com'] },
            fitsPurpose: 'unknown',
            purpose:
              'It is unknown whether it has dns:edit, which needs the permission Zone → DNS → Edit for example.com.',
            checkedAt: '2026-11-26T09:30:00.000Z',
            cached: false,
          },
        },
      },
      invalid: {
        summary: 'Not known to the provider',
        value: {
          isValid: false,
          message:
            'Cloudflare does not recognize this API token (wrong, rolled or deleted). Create a new one, or copy it again.',
        },
      },
    }),
  },
  problems: [
    'key_checks_held',
    'provider_unsupported',
    'provider_answer_unexpected',
    'provider_refused',
    'provider_address_refused',
    'provider_clock_refused',
    'provider_unreachable',
    'provider_busy',
    'provider_timeout',
  ],
})

const Field = named('CredentialField', {
  name: Type.String(),
  at: text('Where the value goes in the body of a check: a JSON pointer (RFC 6901).'),
  label: text('The provider’s name for it.'),
  secret: flag('Whether a form hides the input.'),
  required: Type.Boolean(),
  multiline: flag('Whether the value is a file with several lines.'),
  pattern: Type.Optional(
    text('What the value usually looks like, for a warning in a form. The service does not check it.'),
  ),
  example: Type.Optional(Type.String()),
  options: Type.Optional(Type.Array(Type.String(), { description: 'The allowed values.' })),
  default: Type.Optional(text('The value if it is omitted.')),
  requiredWhen: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Required if another field, by its name, matches the pattern.',
    }),
  ),
})

const ProviderInfo = named('Provider', {
  id: text('The value of `provider` in a check.'),
  title: Type.String(),
  docs: text('The provider’s documentation of its API.'),
  keyPage: text('Where users create a key.'),
  keyTypes: Type.Array(
    object({
      keyType: Type.Enum(keyTypeNames),
      label: text('The provider’s name for it.'),
      email: Type.Enum(['required', 'unused']),
      asked: text('The method and URL of the first call of a check.'),
      fields: Type.Array(Field, { description: 'The values of the credential, in the order of a form.' }),
    }),
  ),
  certainty: Type.Enum(certainties, {
    description:
      'What this provider’s answers are known from: its documentation, logged real answers, or the code of other programs. A `guess` is about the call; an answer that no source shows proves nothing.',
  }),
  remarks: Type.Optional(Type.String()),
})

const Providers = named('Providers', {
  providers: Type.Array(ProviderInfo),
  outgoingAddresses: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'The IP addresses that this service calls providers from, if the operator has set them: for allowlists.',
    }),
  ),
})

export const providersContract = contract('GET /api/v1/providers', 'public', {
  id: 'listProviders',
  tag: 'Provider keys',
  summary: 'The providers whose keys can be validated',
  description: 'For drawing a form: the key types of each provider, and which of them need an email address.',
  answers: {
    200: json('The catalogue, by id', Providers, {
      providers: [
        {
          id: 'cloudflare',
          title: 'Cloudflare',
          docs: 'https://developers.cloudflare.com/api/',
          keyPage: 'https://dash.cloudflare.com/profile/api-tokens',
          keyTypes: [
            {
              keyType: 'api_token',
              label: 'API token',
              email: 'unused',
              asked: 'GET https://api.cloudflare.com/client/v4/user/tokens/verify',
              fields: [
                {
                  name: 'apiKey',
                  at: '/apiKey',
                  label: 'API token',
                  secret: true,
                  required: true,
                  multiline: false,
                },
              ],
            },
            {
              keyType: 'api_key',
              label: 'Global API Key',
              email: 'required',
              asked: 'GET https://api.cloudflare.com/client/v4/user',
              fields: [
                {
                  name: 'email',
                  at: '/email',
                  label: 'email address of the account',
                  secret: false,
                  required: true,
                  multiline: false,
                },
                {
                  name: 'apiKey',
                  at: '/apiKey',
                  label: 'Global API Key',
                  secret: true,
                  required: true,
                  multiline: false,
                },
              ],
            },
          ],
          certainty: 'logged',
        },
      ],
    }),
    304: { description: 'The client’s cached copy is current.' },
  },
})
