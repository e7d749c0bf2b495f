import { textAt } from '../engine/answers.ts'
import { type OpenCredential, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'cloudns',
  title: 'ClouDNS',
  docs: 'https://www.cloudns.net/wiki/article/45/',
  keyPage: 'https://www.cloudns.net/api-settings/',
  baseUrl: 'https://api.cloudns.net',
  keyTypes: {
    api_key: {
      label: 'API user',
      keyLabel: 'password of the API user',
      isChosen: true,
      parts: {
        authId: { label: 'auth-id', isOptional: true },
        subAuthId: { label: 'sub-auth-id', isOptional: true, requiredWhen: { authId: '^$' } },
      },
    },
  },
  certainty: 'client code',
  remarks:
    'ClouDNS gives the same answer for a wrong password and for an address that is not on its list, so a rejection proves nothing. ' +
    'Free plans do not include the API.',
  callsPerSecondMax: 15,
  firstRead: { grows: 'never' },
  abilities: {
    zone: {
      request: (credential, _, { zone }) => ({
        path: '/dns/get-zone-info.json',
        headers: {},
        form: { ...loginOf(credential), 'domain-name': zone },
      }),
      find({ status, body }, { zone }) {
        if (status === 200 && textAt(body, 'name') === zone && textAt(body, 'zone') === 'domain')
          return { hasZone: true }
        // Also if the zone exists, but a sub-user may not see it (acmesh-official/acme.sh#4074).
        const isMissing = textAt(body, 'statusDescription') === 'Missing domain-name'
        return textAt(body, 'status') === 'Failed' && isMissing ? { hasZone: false } : undefined
      },
    },
  },
  request: (credential) => ({ path: '/dns/login.json', headers: {}, form: loginOf(credential) }),
  classify({ status, body }) {
    const result = textAt(body, 'status')
    const description = textAt(body, 'statusDescription')
    if (status === 200 && result === 'Success' && description.startsWith('Success login')) return valid()
    if (result === 'Failed' && description.startsWith('Invalid authentication')) return undetermined('refused')
    // Also for a right password. No source shows whether it was checked.
    if (result === 'Failed' && description.startsWith("You don't have access to the HTTP API"))
      return undetermined('plan_refused')
    return undetermined('unexpected_answer')
  },
})

function loginOf({ apiKey, parts: { authId, subAuthId = '' } }: OpenCredential) {
  return { ...(authId === undefined ? { 'sub-auth-id': subAuthId } : { 'auth-id': authId }), 'auth-password': apiKey }
}
