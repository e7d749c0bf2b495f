import { allContracts } from '../src/contract/contracts.ts'
import { openapiDocument } from '../src/openapi.ts'
import { packageVersion } from '../src/package-root.ts'

/** The text of `openapi.json`: every operation that the service can have. */
export function openapiText(): string {
  return `${JSON.stringify(openapiDocument(allContracts, packageVersion()), null, 2)}\n`
}
