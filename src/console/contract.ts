import Type from 'typebox'
import {
  type AnswerContent,
  contract,
  flag,
  json,
  named,
  object,
  text,
  textContent,
  unchanged,
} from '../platform/http/contract.ts'
import { AccessToken, opaqueTokenRules } from '../sign-in/sessions/contract.ts'

/** Binary data, described as in OpenAPI 3.1, without a schema. */
const bytes = {
  schema: Type.String(),
  examples: { start: { summary: 'Bytes', value: '' } },
} as const satisfies AnswerContent

export const consolePageContracts = {
  page: contract('GET /', 'public', {
    id: 'getConsolePage',
    tag: 'Console',
    summary: 'The web console',
    description:
      'The page of the console, unless `MUSTER_CONSOLE` is `false`. It loads resources only from this service, and calls the issuers that it offers for sign-in. Issuers redirect users back to this page with query parameters, which the service ignores and the page removes from the URL.',
    // RFC 6749 §4.1.2: a client must ignore unknown parameters.
    query: Type.Object({}, { additionalProperties: true }),
    answers: { 200: { description: 'HTML', content: textContent('text/html', '<!doctype html>\n') }, 304: unchanged },
  }),
  file: contract('GET /console/assets/{file}', 'public', {
    id: 'getConsoleFile',
    tag: 'Console',
    summary: 'A file of the console',
    description:
      'A script, a style or an image of the page. The name changes with the content, so the file can be cached forever.',
    params: object({ file: text('The file name as in the page.') }),
    answers: {
      200: {
        description: 'The file',
        content: {
          ...textContent('text/javascript', 'import{'),
          ...textContent('text/css', ':root{'),
          'image/svg+xml': {
            schema: Type.String(),
            examples: { start: { summary: 'The start of an image', value: '<svg ' } },
          },
          'image/png': bytes,
          'font/woff2': bytes,
          'application/octet-stream': bytes,
        },
      },
      304: unchanged,
    },
    problems: ['route_unknown'],
  }),
}

/** Headers of responses that set or clear the cookie. */
const setsCookie = {
  'Set-Cookie': {
    description: 'The session cookie, which is sent only to `/console/session`. `Max-Age=0` removes it.',
    schema: Type.String(),
  },
} as const

const accessAnswer = {
  ...json('An access token, valid for 15 minutes', AccessToken, {
    access_token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9…',
    token_type: 'Bearer',
    expires_in: 900,
  }),
  headers: setsCookie,
} as const

const sessionProblems = [
  'origin_refused',
  'https_required',
  'rate_limited',
  'database_unavailable',
  'read_only',
] as const

export const consoleSessionContracts = {
  open: contract('PUT /console/session', 'public', {
    id: 'openConsoleSession',
    tag: 'Console',
    summary: 'Store a session in the console’s cookie',
    description:
      'Exchanges the refresh token of a sign-in, stores the next one in an HttpOnly cookie and returns an access token. Only for pages of this service, over https or on localhost.',
    body: named('ConsoleSession', { refresh_token: Type.String(opaqueTokenRules) }),
    bodyExamples: {
      token: {
        summary: 'The refresh token of a sign-in',
        value: { refresh_token: 'mrt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      },
    },
    answers: { 200: accessAnswer },
    problems: ['refresh_refused', ...sessionProblems],
  }),
  renew: contract('POST /console/session', 'public', {
    id: 'renewConsoleSession',
    tag: 'Console',
    summary: 'Get an access token with the console’s cookie',
    description:
      'Exchanges the refresh token in the cookie and updates the cookie. Without a cookie, no user is signed in: 204. Removes a cookie whose token is rejected. Only for pages of this service, over https or on localhost.',
    answers: { 200: accessAnswer, 204: { description: 'The request has no session cookie' } },
    problems: ['refresh_refused', ...sessionProblems],
  }),
  end: contract('DELETE /console/session', 'public', {
    id: 'endConsoleSession',
    tag: 'Console',
    summary: 'Sign out of the console',
    description:
      'Ends the session and removes the cookie. Also succeeds without a cookie. Only for pages of this service, over https or on localhost.',
    answers: { 204: { description: 'The session has ended', headers: setsCookie } },
    problems: sessionProblems,
  }),
}

const SignInIssuer = named('SignInIssuer', {
  issuer: text('The issuer, from which the page discovers the endpoints (OpenID Connect Discovery).'),
  title: text('The label of the button.'),
  clientId: text('The client id of the console, a public client of the issuer.'),
  scopes: Type.Array(Type.String()),
  parameters: Type.Record(Type.String(), Type.String(), {
    description: 'More parameters of the authorization request. `resource` is also sent with the token request.',
  }),
  acrValues: Type.Array(Type.String(), {
    description: 'Values of `acr` for a sign-in with a second factor, requested when an operation requires one.',
  }),
})

export const signInOptionsContract = contract('GET /console/sign-in-options', 'public', {
  id: 'getSignInOptions',
  tag: 'Console',
  summary: 'List sign-in options of the console',
  description:
    'The built-in issuer, and the issuers of `MUSTER_ISSUERS` whose entry has a member `console`, whether reachable or not.',
  answers: {
    200: json(
      'The sign-in options',
      named('SignInOptions', {
        builtIn: flag('Whether the built-in issuer is enabled.'),
        issuers: Type.Array(SignInIssuer),
      }),
      {
        builtIn: true,
        issuers: [
          {
            issuer: 'https://login.example.com/',
            title: 'Example Ltd',
            clientId: 'muster-console',
            scopes: ['openid', 'email'],
            parameters: { audience: 'https://muster.example.com' },
            acrValues: [],
          },
        ],
      },
    ),
  },
})
