import Type, { type Static } from 'typebox'
import type { OperationContract } from '../platform/http/contract.ts'
import { certainties, keyTypeNames } from './engine/provider.ts'

export const ProviderInfo = Type.Object(
  {
    id: Type.String({ description: 'What `provider` takes in a check.' }),
    title: Type.String(),
    docs: Type.String({ description: 'The provider’s documentation of its API.' }),
    keyPage: Type.String({ description: 'Where its customers make a key.' }),
    keyTypes: Type.Array(
      Type.Object(
        {
          keyType: Type.Enum(keyTypeNames),
          label: Type.String({ description: 'What the provider calls it.' }),
          email: Type.Enum(['required', 'unused']),
          asked: Type.String({ description: 'The first call of a check, by method and address.' }),
        },
        { additionalProperties: false },
      ),
    ),
    certainty: Type.Enum(certainties, {
      description: 'How well it is known what this provider answers.',
    }),
    remarks: Type.Optional(Type.String()),
  },
  { additionalProperties: false, $id: 'Provider' },
)
export type ProviderInfo = Static<typeof ProviderInfo>

export const providersContract = {
  id: 'listProviders',
  method: 'GET',
  path: '/api/v1/providers',
  tag: 'Provider keys',
  summary: 'The providers whose keys can be validated',
  description: 'For drawing a form: which key types each provider has, and which of them need an e-mail address.',
  permission: 'public',
  answers: {
    200: {
      description: 'The catalogue, by id',
      content: {
        'application/json': {
          schema: Type.Object(
            { providers: Type.Array(ProviderInfo) },
            { additionalProperties: false, $id: 'Providers' },
          ),
          examples: {
            cloudflare: {
              summary: 'One of them',
              value: {
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
                      },
                      {
                        keyType: 'api_key',
                        label: 'Global API Key',
                        email: 'required',
                        asked: 'GET https://api.cloudflare.com/client/v4/user',
                      },
                    ],
                    certainty: 'logged',
                  },
                ],
              },
            },
          },
        },
      },
    },
  },
  problems: [],
} as const satisfies OperationContract
