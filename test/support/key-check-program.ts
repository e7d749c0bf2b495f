import { createValidation } from '../../src/key-checks/engine/check.ts'
import { Problem } from '../../src/platform/problems.ts'
import { Secret } from '../../src/platform/secret.ts'

/**
 * Key checks at Vultr in a process of its own, because a further certificate authority (`NODE_EXTRA_CA_CERTS`) is read at its start:
 * key-check-program.ts BASE_URL LIMITS. It is sent keys, and answers each with the code of the verdict or of the problem. The caller of a key
 * that begins with `gone` gives up after 0.1 s.
 */
const [baseUrl = '', limits = '{}'] = process.argv.slice(2)
const calls: string[] = []
const validation = await createValidation({
  baseUrls: { vultr: baseUrl },
  limits: { callsPerSecondMax: 0, ...JSON.parse(limits) },
  onCall: ({ errorCode, outcome }) => void calls.push(errorCode ?? outcome),
})

async function check(apiKey: string): Promise<string> {
  const signal = apiKey.startsWith('gone') ? AbortSignal.timeout(100) : undefined
  try {
    const secret = new Secret(apiKey)
    const { details } = await validation.check({ provider: 'vultr', keyType: 'api_key', apiKey: secret, signal })
    return details.code
  } catch (error) {
    if (signal?.aborted) return 'given up'
    if (error instanceof Problem) return error.code
    throw error
  }
}

process.on('message', async (apiKey: string) => {
  const result = await check(apiKey)
  process.send?.({ apiKey, result, calls: calls.splice(0) })
})
process.on('disconnect', () => validation.close())
process.send?.({ apiKey: '' })
