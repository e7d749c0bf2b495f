/** The other parts of the recorded client secrets of Azure. */
export const azureParts = {
  tenantId: '11111111-2222-3333-4444-555555555555',
  clientId: '66666666-7777-8888-9999-000000000000',
}

export const azureZoneId =
  '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/dns-test/providers/Microsoft.Network/dnszones/example.tk'

/** The answer of Azure Resource Graph with these zones. */
export function azureRows(...rows: readonly { readonly id: string; readonly name: string }[]) {
  return { totalRecords: rows.length, count: rows.length, resultTruncated: 'false', facets: [], data: rows }
}

/** The query for DNS zones, or for those of one name. */
export function azureQuery(zone = ''): { query: string } {
  const named = zone && `| where name =~ "${zone}" `
  return { query: `resources | where type =~ "microsoft.network/dnszones" ${named}| project id, name | limit 20` }
}
