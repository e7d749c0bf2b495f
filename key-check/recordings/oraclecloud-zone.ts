import { isSignedForOracle, oracleKeyFor, oracleParts, oraclePartsOf } from '../simulator/oraclecloud.ts'
import type { Recording } from '../simulator/recording.ts'

const cassettes = 'dns-lexicon/dns-lexicon tests/fixtures/cassettes/oci @e23b58a'

export const recording: Recording = {
  id: 'oraclecloud',
  keyType: 'api_key',
  parts: oracleParts,
  partsOf: oraclePartsOf,
  keyOf: oracleKeyFor,
  call: {
    method: 'GET',
    path: '/@dns/20180115/zones/example-test.com',
    headers: {},
    accepts: isSignedForOracle('dns'),
  },
  asks: { zone: 'example-test.com' },
  answers: [
    {
      name: 'zone',
      source: cassettes,
      status: 200,
      body: {
        zoneType: 'PRIMARY',
        name: 'example-test.com',
        externalMasters: [],
        compartmentId: 'ocid1.compartment.oc1..aaaa',
        id: 'ocid1.dns-zone.oc1..aaaa',
        lifecycleState: 'ACTIVE',
        scope: 'GLOBAL',
      },
      verdict: { isValid: true, code: 'valid' },
      shows: { fitsPurpose: 'yes' },
    },
    {
      name: 'zone-refused-or-missing',
      source: cassettes,
      status: 404,
      body: { code: 'NotAuthorizedOrNotFound', message: 'Authorization failed or requested resource not found.' },
      verdict: { isValid: true, code: 'capabilities_unknown' },
      shows: { fitsPurpose: 'unknown' },
    },
    { name: 'zone-other-404', madeUp: 'stands for any other answer, which shows nothing', status: 404, body: {} },
  ],
}
