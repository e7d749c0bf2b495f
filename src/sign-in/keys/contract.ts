import Type, { type Static } from 'typebox'
import { contract, json, named } from '../../platform/http/contract.ts'
import { issuerTag } from '../sessions/contract.ts'

const texts = Type.Array(Type.String())

export const Discovery = named('Discovery', {
  issuer: Type.String(),
  jwks_uri: Type.String(),
  response_types_supported: texts,
  grant_types_supported: texts,
  subject_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
  claims_supported: texts,
  acr_values_supported: texts,
})
export type Discovery = Static<typeof Discovery>

export const keyContracts = {
  discovery: contract('GET /.well-known/openid-configuration', 'public', {
    id: 'getDiscovery',
    tag: issuerTag,
    summary: 'Get the OpenID Connect discovery document',
    description:
      'The members of OpenID Connect Discovery §3 that other services need to accept this issuer’s tokens. There are no OAuth clients, so there is no authorization endpoint and no token endpoint.',
    answers: {
      200: json('The document', Discovery, {
        issuer: 'https://muster.example.com',
        jwks_uri: 'https://muster.example.com/.well-known/jwks.json',
        response_types_supported: [],
        grant_types_supported: [],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['EdDSA'],
        claims_supported: [
          'iss',
          'sub',
          'aud',
          'exp',
          'iat',
          'jti',
          'sid',
          'auth_time',
          'acr',
          'amr',
          'client_id',
          'name',
        ],
        acr_values_supported: ['urn:muster:aal1', 'urn:muster:aal2'],
      }),
    },
  }),
  keySet: contract('GET /.well-known/jwks.json', 'public', {
    id: 'getKeySet',
    tag: issuerTag,
    summary: 'Get the keys that verify this issuer’s tokens',
    description: 'A JSON Web Key Set (RFC 7517 §5). A new key is published 10 minutes before it signs.',
    answers: {
      200: json('The key set', named('KeySet', { keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) }), {
        keys: [
          {
            kty: 'OKP',
            crv: 'Ed25519',
            x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
            kid: 'k1',
            use: 'sig',
            alg: 'EdDSA',
          },
        ],
      }),
    },
    problems: ['database_unavailable'],
  }),
}
