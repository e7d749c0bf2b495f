import type { Provider } from '../../console/src/key-check/credential.ts'
import { knownProviders } from '../../key-check/index.ts'

/** What \`GET /api/v1/providers\` answers, as the console receives it. */
export async function catalogue(): Promise<Provider[]> {
  const providers = await knownProviders()
  return JSON.parse(JSON.stringify(providers.map(({ baseUrl: _, ...info }) => info)))
}
