import { keyChecks } from '../../key-check/index.ts'

/**
 * Checks one key at Vultr, prints the outcome and closes: key-check-program.ts BASE_URL. In a process of its own, because it ends only
 * where nothing keeps it alive.
 */
const [vultr = ''] = process.argv.slice(2)
const checks = await keyChecks({ baseUrls: { vultr } })
const { outcome } = await checks.check({ provider: 'vultr', keyType: 'api_key', apiKey: 'key' })
process.stdout.write(outcome)
await checks.close()
