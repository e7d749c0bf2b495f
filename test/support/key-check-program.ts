import { createValidation } from '../../src/key-checks/engine/check.ts'
import { Secret } from '../../src/platform/secret.ts'

/**
 * Checks one key at Vultr, prints the code of the verdict and closes: key-check-program.ts BASE_URL. In a process of its own, because it
 * ends only where nothing keeps it alive.
 */
const [vultr = ''] = process.argv.slice(2)
const validation = await createValidation({ baseUrls: { vultr } })
const { details } = await validation.check({ provider: 'vultr', keyType: 'api_key', apiKey: new Secret('key') })
process.stdout.write(details.code)
await validation.close()
