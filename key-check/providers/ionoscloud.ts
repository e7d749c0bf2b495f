import { listAt, textAt } from '../engine/answers.ts'
import { bearer, invalid, provider, undetermined, valid } from '../engine/provider.ts'

export default provider({
  id: 'ionoscloud',
  title: 'IONOS Cloud',
  docs: 'https://api.ionos.com/docs/dns/v1/',
  keyPage: 'https://dcd.ionos.com/latest/',
  baseUrl: 'https://dns.de-fra.ionos.com',
  keyTypes: { api_token: { label: 'API token' } },
  // acmesh-official/acme.sh dnsapi/dns_ionos_cloud.sh @2797d2c, written by IONOS; ionos-cloud/terraform-provider-ionoscloud#811.
  certainty: 'client code',
  remarks:
    'The rejection comes from a test of a client. Zones in the control panel of IONOS belong to another service with other keys: the provider ionos.',
  firstRead: { grows: 'never' },
  request: bearer('/zones?limit=1'),
  classify({ status, body }) {
    const code = textAt(body, 'messages.0.errorCode')
    if (status === 200 && listAt(body, 'items')) return valid()
    if (status === 401 && code.startsWith('paas-auth')) return invalid('not_recognised')
    return undetermined('unexpected_answer')
  },
})
