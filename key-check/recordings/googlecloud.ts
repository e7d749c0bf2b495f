import { isSignedByServiceAccount, serviceAccountFile } from '../simulator/googlecloud.ts'
import type { Recording } from '../simulator/recording.ts'

export const recording: Recording = {
  id: 'googlecloud',
  keyType: 'api_key',
  keyOf: serviceAccountFile,
  call: {
    method: 'POST',
    path: '/token',
    headers: {},
    accepts: isSignedByServiceAccount,
  },
  answers: [
    {
      name: 'valid',
      source: 'https://developers.google.com/identity/protocols/oauth2/service-account, 2026-11',
      status: 200,
      body: { access_token: 'ya29.{token}', expires_in: 3599, token_type: 'Bearer' },
      isFollowed: true,
    },
    {
      name: 'deleted',
      source: 'crossplane-contrib/provider-jet-gcp#56 and google-github-actions/setup-gcloud#76',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'unknown-account',
      source: 'googleapis/google-cloud-php#3622 and google/oculi#5',
      status: 400,
      body: { error: 'invalid_grant', error_description: 'Invalid grant: account not found' },
      verdict: { isValid: false, code: 'unknown_part' },
    },
    {
      name: 'token-and-error',
      madeUp: 'a token with an error proves nothing',
      status: 200,
      body: { access_token: 'ya29.{token}', token_type: 'Bearer', error: 'invalid_grant' },
    },
    {
      name: 'token-with-line-break',
      madeUp: 'a token that cannot be sent proves nothing',
      status: 200,
      body: { access_token: 'ya29.{token}\nx: y', token_type: 'Bearer' },
    },
    {
      name: 'clock',
      source: 'googleapis/google-api-php-client#1429',
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description:
          'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
      },
      problem: 'provider_clock_refused',
    },
    {
      name: 'no-reason',
      source: 'googleapis/google-api-nodejs-client#540',
      status: 400,
      body: { error: 'invalid_grant' },
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
