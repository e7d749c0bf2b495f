import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../../support/service.ts'
import { newClient, startIssuer } from '../../support/test-client.ts'

let service: Service
beforeAll(async () => {
  service = await startIssuer()
})
afterAll(() => service.stop())

test('the discovery document names exactly the claims of an access token', async () => {
  const { access } = await newClient(service).openSession(await service.person())
  const { status, body } = await service.get('/.well-known/openid-configuration')
  expect([status, body]).toEqual([
    200,
    {
      issuer: 'http://muster.test',
      jwks_uri: 'http://muster.test/.well-known/jwks.json',
      response_types_supported: [],
      grant_types_supported: [],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['EdDSA'],
      claims_supported: expect.any(Array),
      acr_values_supported: ['urn:muster:aal1', 'urn:muster:aal2'],
    },
  ])
  const { claims_supported } = body as { claims_supported: string[] }
  const claims = decodeJwt(access)
  // Only a user with a display name has the claim `name`.
  expect(claims_supported.toSorted()).toEqual([...Object.keys(claims), 'name'].toSorted())
  expect(body).toMatchObject({
    issuer: claims.iss,
    acr_values_supported: expect.arrayContaining([claims.acr]),
    id_token_signing_alg_values_supported: [decodeProtectedHeader(access).alg],
  })
})
