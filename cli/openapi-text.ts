import { allContracts } from '../src/contract/contracts.ts'
import { openapiDocument } from '../src/openapi.ts'
import { packageVersion } from '../src/package-root.ts'
import { infoOf, readProviders } from '../src/validation/catalogue.ts'

/** The text of `openapi.json`: every operation that the service can have. */
export async function openapiText(): Promise<string> {
  const providers = [...(await readProviders()).values()].map(infoOf)
  return `${JSON.stringify(openapiDocument(allContracts, packageVersion(), providers), null, 2)}\n`
}
