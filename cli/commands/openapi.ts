import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { knownProviders } from '../../key-check/index.ts'
import { openapiDocument } from '../../src/api-docs/openapi.ts'
import { allContracts, allMessages } from '../../src/contracts.ts'
import { packageRoot, packageVersion } from '../../src/platform/package-root.ts'
import { note, print } from '../print.ts'

export function openapi(command: Command): void {
  command
    .description('Print the API as an OpenAPI 3.1 document, with all optional operations.')
    .option('--write', 'Write the document to openapi.json next to package.json instead.')
    .addHelpText('after', '\nExample:\n  muster openapi > muster.json')
    .action(async ({ write }: { write?: true }) => {
      if (!write) return print((await openapiText()).trimEnd())
      const path = join(packageRoot(), 'openapi.json')
      await writeFile(path, await openapiText())
      note(`Wrote ${path}.`)
    })
}

/** The text of `openapi.json`, with all optional operations. */
export async function openapiText(): Promise<string> {
  const providers = (await knownProviders()).map(({ baseUrl: _, ...info }) => info)
  return `${JSON.stringify(openapiDocument(allContracts, packageVersion(), { providers, messages: allMessages }), null, 2)}\n`
}
