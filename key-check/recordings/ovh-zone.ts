import type { Recording } from '../simulator/recording.ts'
import { isSignedOvh } from '../simulator/signatures.ts'

export const recording: Recording = {
  id: 'ovh',
  keyType: 'api_key',
  parts: { applicationKey: '7kbG7Bk7S9Nt7ZSV', consumerKey: 'MtSwSrPpNjqfVSmJhLbPyr2i45lSwPU1' },
  call: {
    method: 'GET',
    path: '/domain/zone/example.net/record?fieldType=NS',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedOvh(sent, 'https://eu.api.ovh.com/1.0', apiKey, parts),
  },
  asks: { zone: 'example.net' },
  answers: [
    {
      name: 'zone',
      source: 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/ovh @e23b58a (the form)',
      status: 200,
      body: [5_071_000_001, 5_071_000_002],
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'one-zone',
      source: 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/ovh @e23b58a (the form)',
      status: 200,
      body: [5_071_000_001],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['dns:read', 'dns:edit'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'other-zone',
      source: 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/ovh @e23b58a (the form)',
      status: 200,
      body: [5_071_000_001],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { scopes: ['GET /domain/zone/*'], abilities: ['dns:read'] }, fitsPurpose: 'yes' },
    },
    {
      name: 'no-rule',
      source: 'ovh/python-ovh#86',
      status: 403,
      body: { errorCode: 'NOT_GRANTED_CALL', httpCode: '403 Forbidden', message: 'This call has not been granted' },
      verdict: { isValid: true, code: 'valid' },
      shows: {
        capabilities: {
          scopes: ['GET', 'PUT', 'POST', 'DELETE'].map((method) => `${method} /domain/zone/*`),
          abilities: ['dns:edit'],
          lacks: ['dns:read'],
          missing: ['GET /domain/zone/*'],
        },
        fitsPurpose: 'unknown',
      },
    },
    {
      name: 'other-zone-only',
      source: 'caddy-dns/ovh#6, 2025-06-16 (the cause); ovh/python-ovh#86 (the body)',
      status: 403,
      body: { errorCode: 'NOT_GRANTED_CALL', httpCode: '403 Forbidden', message: 'This call has not been granted' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'no-zone',
      source: 'go-acme/lego#2546, 2025-06-23, and aureq/cert-manager-webhook-ovh#39 (the same for a GET)',
      status: 404,
      body: { class: 'Client::NotFound', message: 'This service does not exist' },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'no' },
    },
    {
      name: 'other-404',
      madeUp: 'a path that does not exist',
      status: 404,
      body: { class: 'Client::NotFound', message: 'Got an invalid (or empty) URL' },
    },
    {
      name: 'iam',
      source: 'ovh/go-ovh ovh/error_test.go @3557ca4 (what it forbids is not said)',
      status: 403,
      body: {
        class: 'Client::Forbidden',
        message: 'User not granted for this request',
        details: { unauthorizedActionsByAuthentication: '', unauthorizedActionsByIAM: 'dnsZone:apiovh:record/get' },
      },
    },
  ],
}
