import { openapiText } from '../cli/commands/openapi.ts'
import { readProviders } from '../key-check/engine/catalogue.ts'
import { readRecordings } from '../key-check/simulator/server.ts'
import { allContracts } from '../src/contracts.ts'
import { clientTypes } from './client-types.ts'
import { cliPage } from './pages/cli.ts'
import { configurationPage } from './pages/configuration.ts'
import { messagesPage } from './pages/messages.ts'
import { permissionsPage } from './pages/permissions.ts'
import { providersPage } from './pages/providers.ts'

type Files = Readonly<Record<string, () => string | Promise<string>>>

/** Committed files that are generated from the sources. */
export const committedFiles: Files = { 'openapi.json': openapiText }

/** Files that each build generates from the sources, and git ignores. */
export const builtFiles: Files = {
  'client/src/api.ts': async () => clientTypes(await openapiText()),
  'docs/cli.md': cliPage,
  'docs/configuration.md': configurationPage,
  'docs/messages.md': messagesPage,
  'docs/permissions.md': () => permissionsPage(allContracts),
  'docs/providers.md': async () => providersPage((await readProviders()).values(), await readRecordings()),
}
