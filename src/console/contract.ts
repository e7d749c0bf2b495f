import Type from 'typebox'
import {
  type AnswerContent,
  json,
  named,
  type OperationContract,
  object,
  textContent,
} from '../platform/http/contract.ts'
import { AccessToken, opaqueTokenRules } from '../sign-in/sessions/contract.ts'

const unchanged = { description: 'The reader’s copy is the present one.' } as const

export const consolePageContract = {
  id: 'getConsolePage',
  method: 'GET',
  path: '/',
  tag: 'Console',
  summary: 'The web console',
  description:
    'The one page of the console. Exists unless `MUSTER_CONSOLE` is `false`. It loads resources of this service only, and calls the issuers that it offers for the sign-in. They send their users back here, with what they answer as the query: the service reads nothing of it, and the page takes it out of the address.',
  permission: 'public',
  // RFC 6749 §4.1.2: what a client does not know of an answer, it ignores.
  query: Type.Object({}, { additionalProperties: true }),
  answers: {
    200: { description: 'HTML', content: textContent('text/html', '<!doctype html>\n') },
    304: unchanged,
  },
} as const satisfies OperationContract

/** Bytes that are not text, as OpenAPI 3.1 describes them: without a schema of their own. */
const bytes = {
  schema: Type.String(),
  examples: { start: { summary: 'Bytes', value: '' } },
} as const satisfies AnswerContent

export const consoleFileContract = {
  id: 'getConsoleFile',
  method: 'GET',
  path: '/console/assets/{file}',
  tag: 'Console',
  summary: 'A file of the console',
  description:
    'A script, a style or an image of the page. The name changes with the content, so that it can be stored for ever.',
  permission: 'public',
  params: object({ file: Type.String({ description: 'As the page names it.' }) }),
  answers: {
    200: {
      description: 'The file',
      content: {
        ...textContent('text/javascript', 'import{'),
        ...textContent('text/css', ':root{'),
        'image/svg+xml': { schema: Type.String(), examples: { start: { summary: 'How it begins', value: '<svg ' } } },
        'image/png': bytes,
        'font/woff2': bytes,
        'application/octet-stream': bytes,
      },
    },
    304: unchanged,
  },
  problems: ['route_unknown'],
} as const satisfies OperationContract

/** Of the answers that set the cookie, or clear it. */
const setsCookie = {
  'Set-Cookie': {
    description: 'The cookie of the session, which only `/console/session` reads. `Max-Age=0` removes it.',
    schema: Type.String(),
  },
} as const

const accessAnswer = {
  ...json('An access token for 15 minutes', AccessToken, {
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

export const openConsoleSessionContract = {
  id: 'openConsoleSession',
  method: 'PUT',
  path: '/console/session',
  tag: 'Console',
  summary: 'Keep a session in the cookie of the console',
  description:
    'Exchanges the refresh token of a sign-in, puts the next one into a cookie that no script can read, and answers an access token. For pages of this service only, over https or on the own machine.',
  permission: 'public',
  body: named('ConsoleSession', { refresh_token: Type.String(opaqueTokenRules) }),
  bodyExamples: {
    token: {
      summary: 'The refresh token of a sign-in',
      value: { refresh_token: 'mrt_3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
    },
  },
  answers: { 200: accessAnswer },
  problems: ['refresh_refused', ...sessionProblems],
} as const satisfies OperationContract

export const renewConsoleSessionContract = {
  id: 'renewConsoleSession',
  method: 'POST',
  path: '/console/session',
  tag: 'Console',
  summary: 'Get an access token by the cookie of the console',
  description:
    'Exchanges the refresh token in the cookie and sets the cookie anew. Without a cookie no one is signed in: 204. A cookie whose token is refused is removed. For pages of this service only, over https or on the own machine.',
  permission: 'public',
  answers: { 200: accessAnswer, 204: { description: 'The request has no cookie of a session' } },
  problems: ['refresh_refused', ...sessionProblems],
} as const satisfies OperationContract

export const endConsoleSessionContract = {
  id: 'endConsoleSession',
  method: 'DELETE',
  path: '/console/session',
  tag: 'Console',
  summary: 'Sign out of the console',
  description:
    'Ends the session of the cookie and removes the cookie; the same answer without one. For pages of this service only, over https or on the own machine.',
  permission: 'public',
  answers: { 204: { description: 'The session has ended', headers: setsCookie } },
  problems: sessionProblems,
} as const satisfies OperationContract

const SignInIssuer = named('SignInIssuer', {
  issuer: Type.String({
    description: 'Its name, from which the page finds its endpoints (OpenID Connect Discovery).',
  }),
  title: Type.String({ description: 'For the button.' }),
  clientId: Type.String({ description: 'The console as a public client of the issuer.' }),
  scopes: Type.Array(Type.String()),
  parameters: Type.Record(Type.String(), Type.String(), {
    description: 'Further parameters of the authorization request. `resource` is sent with the token request as well.',
  }),
  acrValues: Type.Array(Type.String(), {
    description: 'What its tokens say of a sign-in with a second factor: asked for where an operation needs one.',
  }),
})

export const signInOptionsContract = {
  id: 'getSignInOptions',
  method: 'GET',
  path: '/console/sign-in-options',
  tag: 'Console',
  summary: 'The ways to sign in to the console',
  description:
    'The built-in issuer, and the issuers of `MUSTER_ISSUERS` whose entry has a member `console`. It says nothing about whether they can be reached.',
  permission: 'public',
  answers: {
    200: json(
      'The ways',
      named('SignInOptions', {
        builtIn: Type.Boolean({ description: 'Whether this service signs users in itself.' }),
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
} as const satisfies OperationContract

/** The page and its files; their session exists only where the built-in issuer is enabled. */
export const consoleContracts: readonly OperationContract[] = [
  consolePageContract,
  consoleFileContract,
  signInOptionsContract,
  openConsoleSessionContract,
  renewConsoleSessionContract,
  endConsoleSessionContract,
]
