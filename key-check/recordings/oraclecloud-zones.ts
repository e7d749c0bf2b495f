import { isSignedForOracle, oracleKeyFor, oracleParts, oraclePartsOf } from '../simulator/oraclecloud.ts'
import type { Recording } from '../simulator/recording.ts'

const members = 'oracle/oci-go-sdk dns/list_zones_request_response.go @7ce2eb7 (the members)'

export const recording: Recording = {
  id: 'oraclecloud',
  keyType: 'api_key',
  parts: oracleParts,
  partsOf: oraclePartsOf,
  keyOf: oracleKeyFor,
  call: {
    method: 'GET',
    path: `/@dns/20180115/zones?compartmentId=${oracleParts.tenancyId}&limit=20`,
    headers: {},
    accepts: isSignedForOracle('dns'),
  },
  asks: {},
  answers: [
    {
      name: 'valid',
      source: members,
      status: 200,
      body: [{ name: 'example-test.com', zoneType: 'PRIMARY', scope: 'GLOBAL', id: 'ocid1.dns-zone.oc1..aaaa' }],
      verdict: { isValid: true, code: 'valid' },
      shows: { capabilities: { abilities: ['zones:list'], zones: ['example-test.com'], moreZones: true } },
    },
    {
      name: 'none-in-root',
      source: `${members}, with no zone`,
      status: 200,
      body: [],
      verdict: { isValid: true, code: 'capabilities_unknown' },
    },
    {
      name: 'refused-or-missing',
      source: 'https://docs.oracle.com/en-us/iaas/Content/API/References/apierrors.htm, 2026-11',
      status: 404,
      body: { code: 'NotAuthorizedOrNotFound', message: 'Authorization failed or requested resource not found.' },
      verdict: { isValid: true, code: 'capabilities_unknown' },
    },
    {
      name: 'not-signed-up',
      source: 'https://docs.oracle.com/en-us/iaas/Content/API/References/apierrors.htm, 2026-11',
      status: 403,
      body: { code: 'SignUpRequired', message: 'Sign up is required.' },
      verdict: { isValid: true, code: 'service_not_enabled' },
      shows: { capabilities: { missing: ['DNS'] } },
    },
    { name: 'other-404', madeUp: 'stands for any other answer, which shows nothing', status: 404, body: {} },
  ],
}
