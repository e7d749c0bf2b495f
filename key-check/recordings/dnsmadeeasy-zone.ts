import type { Recording } from '../simulator/recording.ts'
import { isSignedDnsMadeEasy } from '../simulator/signatures.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/dnsmadeeasy @e23b58a'

export const recording: Recording = {
  id: 'dnsmadeeasy',
  keyType: 'api_key',
  parts: { apiKeyId: '1c1a3c91-4770-4ce7-96f4-54c0eb0e457a' },
  call: {
    method: 'GET',
    path: '/V2.0/dns/managed/name?domainname=example.net',
    headers: {},
    accepts: (sent, { apiKey, parts }) => isSignedDnsMadeEasy(sent, parts.apiKeyId ?? '', apiKey),
  },
  asks: { zone: 'example.net' },
  answers: [
    {
      name: 'zone',
      source: `${cassettes} (of another name)`,
      status: 200,
      body: {
        created: 1521590400000,
        delegateNameServers: ['dawn.ns.example.', 'owen.ns.example.'],
        folderId: 2001,
        gtdEnabled: false,
        nameServers: [{ fqdn: 'ns1.sandbox.dnsmadeeasy.com' }],
        pendingActionId: 0,
        updated: 1521609889401,
        processMulti: false,
        activeThirdParties: [],
        name: 'example.net',
        id: 800001,
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'no-zone',
      source: cassettes,
      status: 404,
      headers: { 'content-type': 'text/html;charset=ISO-8859-1' },
      body: '<!DOCTYPE html> <html> <head> <title>Management Console</title></head></html>',
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'unknown' },
    },
  ],
}
