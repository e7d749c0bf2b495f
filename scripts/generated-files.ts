import { openapiText } from '../cli/openapi-text.ts'
import { readRecordings } from '../simulators/providers/server.ts'
import { allContracts } from '../src/contracts.ts'
import { readProviders } from '../src/key-checks/engine/catalogue.ts'
import { clientTypes } from './client-types.ts'
import { cliPage } from './pages/cli.ts'
import { configurationPage } from './pages/configuration.ts'
import { messagesPage } from './pages/messages.ts'
import { permissionsPage } from './pages/permissions.ts'
import { providersPage } from './pages/providers.ts'
import { scalingPage } from './pages/scaling.ts'

/**
 * Every committed file that is generated from the sources, by its path, with the function that makes its text. Measurements
 * (bench/results, docs/generated/query-plans.md) are not here: they depend on the machine.
 */
export const generatedFiles: Readonly<Record<string, () => string | Promise<string>>> = {
  'openapi.json': openapiText,
  'client/src/api.ts': async () => clientTypes(await openapiText()),
  'docs/cli.md': cliPage,
  'docs/configuration.md': configurationPage,
  'docs/messages.md': messagesPage,
  'docs/permissions.md': () => permissionsPage(allContracts),
  'docs/providers.md': async () => providersPage((await readProviders()).values(), await readRecordings()),
}

/** Pages that people write, with tables that are made from the results of measurements. */
export const pagesWithTables: Readonly<Record<string, () => string>> = { 'docs/scaling.md': scalingPage }
