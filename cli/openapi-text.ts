import { openapiDocument } from '../src/api-docs/openapi.ts'
import { allContracts, allMessages } from '../src/contracts.ts'
import { infoOf, readProviders } from '../src/key-checks/engine/catalogue.ts'
import { packageVersion } from '../src/platform/package-root.ts'

/** The text of `openapi.json`: every operation that the service can have. */
export async function openapiText(): Promise<string> {
  const providers = [...(await readProviders()).values()].map(infoOf)
  return `${JSON.stringify(openapiDocument(allContracts, packageVersion(), { providers, messages: allMessages }), null, 2)}\n`
}
