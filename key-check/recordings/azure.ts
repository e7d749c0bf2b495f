import { azureParts } from '../simulator/azure.ts'
import type { Recording } from '../simulator/recording.ts'
import { isForm } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'azure',
  keyType: 'api_key',
  parts: azureParts,
  call: {
    method: 'POST',
    path: '/11111111-2222-3333-4444-555555555555/oauth2/v2.0/token',
    headers: {},
    accepts: (sent, { apiKey, parts: { clientId = '' } }) =>
      isForm(sent, {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: apiKey,
        scope: 'https://management.azure.com/.default',
      }),
  },
  answers: [
    {
      name: 'valid',
      source: 'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow, 2026-11',
      status: 200,
      body: { token_type: 'Bearer', expires_in: 3599, access_token: 'eyJ.{token}' },
      isFollowed: true,
    },
    {
      name: 'token-and-error',
      madeUp: 'a token with an error proves nothing',
      status: 200,
      body: { token_type: 'Bearer', access_token: 'eyJ.{token}', error: 'invalid_client' },
    },
    {
      name: 'wrong-secret',
      source: 'OfficeDev/microsoft-365-agents-toolkit#8621',
      status: 401,
      body: {
        error: 'invalid_client',
        error_description:
          'AADSTS7000215: Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID.',
        error_codes: [7000215],
        timestamp: '2026-10-01 12:00:00Z',
      },
      verdict: { isValid: false, code: 'wrong_part' },
    },
    {
      name: 'expired',
      source: 'MicrosoftDocs/entra-docs docs/identity-platform/reference-error-codes.md @04f6554',
      status: 401,
      body: {
        error: 'invalid_client',
        error_description: 'AADSTS7000222: The provided client secret keys for app are expired.',
        error_codes: [7000222],
        timestamp: '2026-10-01 12:00:00Z',
      },
      verdict: { isValid: false, code: 'expired' },
    },
    {
      name: 'unknown-client',
      source: 'MicrosoftDocs/entra-docs docs/identity-platform/reference-error-codes.md @04f6554',
      status: 400,
      body: {
        error: 'unauthorized_client',
        error_description: 'AADSTS700016: Application was not found in the directory.',
        error_codes: [700016],
        timestamp: '2026-10-01 12:00:00Z',
      },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'unknown-tenant',
      source: 'MicrosoftDocs/entra-docs docs/identity-platform/reference-error-codes.md @04f6554',
      status: 400,
      body: {
        error: 'invalid_request',
        error_description: 'AADSTS90002: Tenant not found.',
        error_codes: [90002],
        timestamp: '2026-10-01 12:00:00Z',
      },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'policy',
      source: 'MicrosoftDocs/entra-docs docs/identity-platform/reference-error-codes.md @04f6554',
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: 'AADSTS53003: Access has been blocked by Conditional Access policies.',
        error_codes: [53003],
        timestamp: '2026-10-01 12:00:00Z',
      },
      verdict: { isValid: true, code: 'ip_filtered' },
    },
    {
      name: 'other-code',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: {
        error: 'invalid_client',
        error_description: 'AADSTS7000999: Something new.',
        error_codes: [7000999],
        timestamp: '2026-10-01 12:00:00Z',
      },
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
