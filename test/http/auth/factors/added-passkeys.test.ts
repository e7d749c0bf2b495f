import { createHash } from 'node:crypto'
import { type CBORType, decodeCBOR, encodeCBOR } from '@levischuck/tiny-cbor'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Algorithm, type Authenticator, type Creation, newAuthenticator } from '../../../support/authenticator.ts'
import {
  type MailServer,
  type MailWork,
  mailSettings,
  mailWorkOf,
  startMailServer,
} from '../../../support/mail-server.ts'
import {
  creationOptions,
  origin,
  register,
  signInBy,
  signInOptions,
  startPasskeyIssuer,
  withPasskey,
} from '../../../support/passkey-client.ts'
import { problemOf } from '../../../support/problem.ts'
import type { Service } from '../../../support/service.ts'
import { newClient, tokensOf } from '../../../support/test-client.ts'

let server: MailServer
let service: Service
let work: MailWork
beforeAll(async () => {
  server = await startMailServer()
  service = await startPasskeyIssuer(mailSettings(server))
  work = await mailWorkOf(service)
})
afterAll(async () => {
  work.close()
  await service.stop()
  await server.stop()
})

const add = (token: string, credential: object) =>
  newClient(service).post('/auth/passkeys', { friendlyName: 'Laptop', credential }, token)

const algorithms = { ES256: -7, EdDSA: -8 } as const

interface Made {
  readonly id: string
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string }
}

/** A self-attested passkey: some authenticators send one although none was requested. */
function selfAttested(
  authenticator: Authenticator,
  options: Creation,
  { algorithm, signs = (bytes) => bytes }: { algorithm: keyof typeof algorithms; signs?: (bytes: Buffer) => Buffer },
): object {
  const made = authenticator.create(options) as Made
  const { clientDataJSON, attestationObject } = made.response
  const object = decodeCBOR(Uint8Array.from(Buffer.from(attestationObject, 'base64url')))
  const authData = object instanceof Map ? object.get('authData') : undefined
  if (!(authData instanceof Uint8Array)) throw new Error('There is no authenticator data.')
  const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
  const signature = authenticator.sign(signs(Buffer.concat([authData, hash])))
  const attStmt = new Map<string, CBORType>([
    ['alg', algorithms[algorithm]],
    ['sig', Uint8Array.from(signature)],
  ])
  const attested = new Map<string, CBORType>([
    ['fmt', 'packed'],
    ['attStmt', attStmt],
    ['authData', authData],
  ])
  const text = Buffer.from(encodeCBOR(attested)).toString('base64url')
  return { ...made, response: { ...made.response, attestationObject: text } }
}

describe('POST /auth/passkeys with self attestation', () => {
  test.each(['ES256', 'EdDSA'] as const satisfies Algorithm[])(
    'returns 201, and the passkey signs in: %s',
    async (algorithm) => {
      const { token, email } = await service.person()
      const authenticator = newAuthenticator({ origin, algorithm })
      const credential = selfAttested(authenticator, await creationOptions(service, token), { algorithm })
      const answer = await add(token, credential)
      expect(answer.status, answer.text).toBe(201)
      const { access } = tokensOf(await signInBy(service, authenticator.get(await signInOptions(service))))
      expect((await service.get('/auth/account', { token: access })).body).toMatchObject({ email })
    },
  )

  test('returns 400 passkey_invalid for a signature of other data', async () => {
    const { token } = await service.person()
    const credential = selfAttested(newAuthenticator({ origin }), await creationOptions(service, token), {
      algorithm: 'ES256',
      signs: (bytes) => bytes.subarray(1),
    })
    expect(problemOf(await add(token, credential))).toEqual({ status: 400, code: 'passkey_invalid' })
  })
})

test('POST /auth/passkeys returns no recovery codes for a second passkey and keeps the existing codes', async () => {
  const { token, recoveryCodes } = await withPasskey(service)
  const further = await register(service, token, { friendlyName: 'Tablet' })
  expect(further.recoveryCodes).toEqual([])
  const [recoveryCode] = recoveryCodes
  const steppedUp = await newClient(service).post('/auth/step-up', { recoveryCode }, token)
  expect(steppedUp.status, steppedUp.text).toBe(200)
})

test('adding and removing a passkey is mailed to the owner and audited, a rejected one is not', async () => {
  const { id, email, token, password } = await service.person()
  const subjects = async () => {
    await work.run()
    return server.received.filter(({ to }) => to.includes(email)).map(({ mail }) => mail.subject)
  }
  const events = () =>
    service.sql(
      `select action, actor_id, target_kind, target_id, details from audit_event
       where actor_id = $1 and action like 'factor.%' order by at, id`,
      [id],
    )
  const changed = 'The second factors of your account at muster.test were changed'
  const options = await creationOptions(service, token)
  const refused = newAuthenticator({ origin }).create(options, { origin: 'https://evil.example' })
  expect((await add(token, refused)).status).toBe(400)
  expect([await subjects(), await events()]).toEqual([[], []])
  const added = await add(token, newAuthenticator({ origin }).create(options))
  expect(added.status, added.text).toBe(201)
  const { id: factorId } = added.body as { id: string }
  const event = { actor_id: id, target_kind: 'factor', target_id: factorId }
  expect(await subjects()).toEqual([changed])
  expect(await events()).toEqual([{ action: 'factor.added', ...event, details: { type: 'passkey' } }])
  const removed = await newClient(service).post(`/auth/factors/${factorId}/remove`, { password }, token)
  expect(removed.status, removed.text).toBe(204)
  expect(await subjects()).toEqual([changed, changed])
  expect(await events()).toMatchObject([{ action: 'factor.added' }, { action: 'factor.removed', ...event }])
})
