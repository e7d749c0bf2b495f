import { accessTokenIn, textAt, valueAt } from '../engine/answers.ts'
import {
  type CredentialFault,
  invalid,
  type OpenCredential,
  provider,
  retry,
  undetermined,
  valid,
} from '../engine/provider.ts'
import { subscriptionsRead, zonesSearch } from './azure/zones.ts'

const clouds: Readonly<Record<string, { authority: string; arm: string }>> = {
  public: { authority: 'https://login.microsoftonline.com', arm: 'https://management.azure.com' },
  government: { authority: 'https://login.microsoftonline.us', arm: 'https://management.usgovcloudapi.net' },
  china: { authority: 'https://login.partner.microsoftonline.cn', arm: 'https://management.chinacloudapi.cn' },
}
const guid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

const tenantIdLabel = 'directory (tenant) ID'
const clientIdLabel = 'application (client) ID'
const valueLabel = 'value of the client secret'

/**
 * One ID in two fields. Another GUID in place of the secret is most likely the ID of the secret, but Azure's answer decides: until 2020 the
 * command line of Azure created secrets that are GUIDs (Azure/azure-cli#13357).
 */
function faultOf(apiKey: string, { tenantId, clientId }: OpenCredential['parts']): CredentialFault | undefined {
  if (apiKey === clientId) return { reason: 'other_part', part: clientIdLabel, other: valueLabel }
  if (apiKey === tenantId) return { reason: 'other_part', part: tenantIdLabel, other: valueLabel }
  return clientId === tenantId ? { reason: 'other_part', part: tenantIdLabel, other: clientIdLabel } : undefined
}

export default provider({
  id: 'azure',
  title: 'Azure',
  docs: 'https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow',
  keyPage: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
  baseUrl: 'https://login.microsoftonline.com',
  origins: Object.fromEntries(
    Object.entries(clouds).flatMap(([name, { authority, arm }]) => [
      [name, authority],
      [`${name}-arm`, arm],
    ]),
  ),
  keyTypes: {
    api_key: {
      label: 'client secret',
      keyLabel: valueLabel,
      faultOf,
      parts: {
        tenantId: {
          label: tenantIdLabel,
          // It becomes part of the path.
          mustMatch: `^(${guid}|[A-Za-z0-9][A-Za-z0-9-]*(\\.[A-Za-z0-9][A-Za-z0-9-]*)+)$`,
          example: '00000000-0000-0000-0000-000000000000',
        },
        clientId: { label: clientIdLabel, mustMatch: `^${guid}$` },
        cloud: { label: 'cloud', isOptional: true, options: Object.keys(clouds) },
      },
    },
  },
  newKeys: {
    settlesAfterMs: 18_000,
    source: 'microsoftgraph/microsoft-graph-docs#17966, Azure/AKS#1316, hashicorp/terraform-provider-azurerm#4610',
  },
  firstRead: { grows: 'never' },
  abilities: { isAlwaysRead: true, list: subscriptionsRead(), zone: zonesSearch() },
  permissions: {
    'zones:list': 'Microsoft.Network/dnsZones/read',
    'dns:read': 'Microsoft.Network/dnsZones/*/read',
    'dns:edit': 'DNS Zone Contributor',
  },
  certainty: 'documented',
  remarks:
    'The secret is exchanged for a token, which reads subscriptions and DNS zones and is then discarded. Roles on Front Door and on single record sets ' +
    'are not read. Microsoft may change its error codes; an unknown code proves nothing. A policy of Conditional ' +
    'Access is applied after the secret; for applications it blocks by address or by risk, so it counts as an IP filter.',
  shapeOf: (apiKey) => (new RegExp(`^${guid}$`).test(apiKey) ? 'guid' : 'other'),
  // The documented call has the secret in the body.
  request: ({ apiKey, parts: { tenantId = '', clientId = '', cloud = 'public' } }) => ({
    path: `/${tenantId}/oauth2/v2.0/token`,
    headers: {},
    form: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: apiKey,
      scope: `${clouds[cloud]?.arm}/.default`,
    },
    ...(cloud !== 'public' && { origin: cloud }),
  }),
  classify({ status, body, shape }) {
    const isGranted = accessTokenIn(body) !== '' && textAt(body, 'token_type') === 'Bearer'
    if (status === 200 && isGranted && valueAt(body, 'error') === undefined) return valid()
    if (isGranted || (status !== 400 && status !== 401)) return undetermined('unexpected_answer')
    const error = textAt(body, 'error')
    const code = valueAt(body, 'error_codes.0')
    if (error === 'invalid_client' && code === 7_000_215 && shape === 'guid')
      return invalid('wrong_part', { part: 'value', hint: 'looks_like_secret_id' })
    if (error === 'invalid_client' && code === 7_000_215) return retry(invalid('wrong_part', { part: 'value' }))
    if (error === 'invalid_client' && code === 7_000_222) return invalid('expired')
    if (error === 'unauthorized_client' && code === 700_016)
      return retry(invalid('unknown_part', { part: 'client ID in this tenant' }))
    if (error === 'invalid_request' && code === 90_002) return invalid('unknown_part', { part: 'tenant in this cloud' })
    // Conditional Access comes after the secret (trufflesecurity/trufflehog pkg/detectors/azure_entra/serviceprincipal/sp.go).
    if (error === 'invalid_grant' && code === 53_003) return valid('ip_filtered')
    return undetermined('unexpected_answer')
  },
})
