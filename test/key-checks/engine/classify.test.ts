import { describe, expect, test } from 'vitest'
import { classify, isProviderFailure } from '../../../src/key-checks/engine/classify.ts'
import { defaultLimits } from '../../../src/key-checks/engine/limits.ts'
import {
  type Classification,
  invalid,
  nextProbe,
  type Probe,
  type ProviderAnswer,
  retry,
  undetermined,
  valid,
} from '../../../src/key-checks/engine/provider.ts'
import { parseJson } from '../../../src/key-checks/engine/provider-client.ts'

const nothing = undetermined('unexpected_answer')

function probeFor(classification: Classification, successStatus?: number): Probe {
  const probe = { request: () => ({ path: '/', headers: {} }), classify: () => classification }
  return successStatus === undefined ? probe : { ...probe, successStatus }
}

function answer(status: number): ProviderAnswer {
  return { kind: 'answer', keyType: 'api_token', shape: 'any', status, headers: {}, body: {}, text: '{}', nowMs: 0 }
}

function classified(status: number, classification: Classification, successStatus?: number): Classification {
  return classify(probeFor(classification, successStatus), answer(status), defaultLimits)
}

describe('a 2xx that the provider file does not expect', () => {
  test.each([
    ['valid', valid()],
    ['valid with a caveat', valid('limited_permissions')],
    ['invalid', invalid('not_recognised')],
    ['another call', nextProbe(probeFor(valid()))],
    ['another try', retry(invalid('refused'))],
  ])('decides nothing where the file says %s', (_, classification) => {
    for (const status of [201, 202, 203, 204, 206, 299]) expect(classified(status, classification)).toEqual(nothing)
    expect(classified(200, classification)).toEqual(classification)
  })

  test('is the one that decides where the file declares it, and a 200 no longer does', () => {
    expect(classified(201, valid(), 201)).toEqual(valid())
    expect(classified(200, valid(), 201)).toEqual(nothing)
  })
})

test('an answer that begins with a byte order mark is read', () => {
  expect(parseJson('\ufeff{"success":true}')).toEqual({ success: true })
})

test('a 4xx proves a credential valid only with a caveat', () => {
  expect(classified(403, valid('limited_permissions'))).toEqual(valid('limited_permissions'))
  expect(classified(403, valid())).toEqual(nothing)
})

test('a lock-out is one whatever the status', () => {
  for (const status of [200, 201, 403, 503])
    expect(classified(status, undetermined('locked_out'))).toEqual(undetermined('locked_out', 300))
})

test('a gateway error is retried as transient, and counts as a failure of the provider; a 401 is neither', () => {
  expect(classified(502, valid())).toEqual(retry(nothing, 'transient'))
  expect([502, 500, 401, 200].map((status) => isProviderFailure(answer(status)))).toEqual([true, true, false, false])
})
