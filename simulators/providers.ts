import { parseArgs } from 'node:util'

import { credentialFor, recordedEmail } from '../key-check/simulator/recording.ts'
import { startProvidersSimulator } from '../key-check/simulator/server.ts'

/** Simulates every provider except Cloudflare: npm run simulator -- providers [--port 4701]. Loopback only. */
const { values } = parseArgs({ options: { port: { type: 'string', default: '4701' } } })
const simulator = await startProvidersSimulator({ port: Number(values.port) })

console.log('Start Muster with\n')
for (const [id, url] of Object.entries(simulator.baseUrls))
  console.log(`  MUSTER_PROVIDER_${id.toUpperCase().replaceAll('-', '_')}_URL=${url}`)
console.log(`\nand check one of these, with the email ${recordedEmail} if the provider needs one:\n`)
for (const recording of simulator.recordings)
  for (const answer of recording.answers.filter(({ isFollowed }) => !isFollowed)) {
    const { isValid, code } = answer.verdict ?? { isValid: undefined, code: 'no verdict' }
    const verdict = isValid === undefined ? code : `${isValid ? 'valid' : 'invalid'}: ${code}`
    const { apiKey, parts } = credentialFor(recording, answer)
    const others = Object.entries(parts).map(([name, value]) => ` ${name}=${value}`)
    console.log(
      `  ${recording.id.padEnd(14)}${recording.keyType.padEnd(11)}${apiKey.padEnd(36)}${verdict}${others.join('')}`,
    )
  }

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void simulator.close().then(() => process.exit(0)))
