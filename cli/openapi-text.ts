import { knownProviders } from '../key-check/index.ts'
import { openapiDocument } from '../src/api-docs/openapi.ts'
import { allContracts, allMessages } from '../src/contracts.ts'
import { packageVersion } from '../src/platform/package-root.ts'

/** The text of `openapi.json`: every operation that the service can have. */
export async function openapiText(): Promise<string> {
  const providers = (await knownProviders()).map(({ baseUrl: _, ...info }) => info)
  return `${JSON.stringify(openapiDocument(allContracts, packageVersion(), { providers, messages: allMessages }), null, 2)}\n`
}
