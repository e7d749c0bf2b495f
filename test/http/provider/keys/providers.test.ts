import { expect, test } from 'vitest'
import { serviceForTest } from '../../../support/service.ts'

test('200 — GET /api/v1/providers lists every provider with its key types, without a token, cacheable for five minutes', async () => {
  const service = await serviceForTest()
  const { status, headers, body } = await service.get('/api/v1/providers')
  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('public, max-age=300')
  const { providers } = body as { providers: { id: string; certainty: string }[] }
  expect(providers.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['cloudflare', 'fastly', 'digitalocean', 'luadns']),
  )
  expect(new Set(providers.map(({ certainty }) => certainty))).toEqual(
    new Set(['documented', 'logged', 'client code', 'guess']),
  )
  expect(providers.find(({ id }) => id === 'cloudflare')).toMatchObject({
    certainty: 'logged',
    keyTypes: [
      { keyType: 'api_token', email: 'unused' },
      { keyType: 'api_key', email: 'required' },
    ],
  })
})
