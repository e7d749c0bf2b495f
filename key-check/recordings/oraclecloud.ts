import { isSignedForOracle, oracleKeyFor, oracleParts, oraclePartsOf } from '../simulator/oraclecloud.ts'
import type { Recording } from '../simulator/recording.ts'

const { tenancyId, userId } = oracleParts

export const recording: Recording = {
  id: 'oraclecloud',
  keyType: 'api_key',
  parts: oracleParts,
  partsOf: oraclePartsOf,
  keyOf: oracleKeyFor,
  call: {
    method: 'GET',
    path: `/20160918/users/${userId}`,
    headers: {},
    accepts: isSignedForOracle('identity'),
  },
  answers: [
    {
      name: 'valid',
      source: 'https://docs.oracle.com/en-us/iaas/api/#/en/identity/20160918/User/GetUser, 2026-11',
      status: 200,
      body: { id: userId, compartmentId: tenancyId, name: 'user@example.com', lifecycleState: 'ACTIVE' },
      verdict: { isValid: true, code: 'valid' },
    },
    {
      name: 'wrong',
      source: 'oracle/oci-cli#514',
      status: 401,
      body: {
        code: 'NotAuthenticated',
        message: 'The required information to complete authentication was not provided or was incorrect.',
      },
      verdict: { isValid: false, code: 'wrong_parts' },
    },
    {
      name: 'clock',
      source: 'oracle/terraform-provider-oci#474',
      status: 401,
      body: {
        code: 'NotAuthenticated',
        message:
          "Date 'Fri, 17 Feb 2023 03:47:56 UTC' is not within allowed clock skew. Current 'Fri, 17 Feb 2023 03:53:53 UTC', valid datetime range: ['Fri, 17 Feb 2023 03:48:53 UTC', 'Fri, 17 Feb 2023 03:58:54 UTC']",
      },
      problem: 'provider_clock_refused',
    },
    {
      name: 'limited',
      source: 'https://docs.oracle.com/en-us/iaas/Content/API/References/apierrors.htm, 2026-11',
      status: 404,
      body: { code: 'NotAuthorizedOrNotFound', message: 'Authorization failed or requested resource not found.' },
      verdict: { isValid: true, code: 'limited_permissions' },
    },
    {
      name: 'other-401',
      madeUp: 'represents answers that the provider file does not list',
      status: 401,
      body: { code: 'NotAuthenticated', message: 'Something else' },
    },
    {
      name: 'rate-limited',
      madeUp: 'stands for any 429',
      status: 429,
      headers: { 'retry-after': '17' },
      body: { code: 'TooManyRequests', message: 'Too many requests' },
    },
  ],
}
