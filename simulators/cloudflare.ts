import { parseArgs } from 'node:util'

import { faults, faultToken, isFaultName } from './cloudflare/faults.ts'
import { startCloudflareSimulator } from './cloudflare/server.ts'
import { samples } from './cloudflare/state.ts'

/**
 * Simulates Cloudflare's API, so that checks work without an account: npm run simulator [-- --port 4700 --lock-out 15]. Listens on loopback
 * only and knows no real credential.
 */
const { values } = parseArgs({ options: { port: { type: 'string' }, 'lock-out': { type: 'string' } } })
const port = wholeNumber('--port', values.port ?? process.env.MUSTER_SIMULATOR_PORT ?? '4700')
const lockOut = values['lock-out']

const simulator = await startCloudflareSimulator({
  port,
  ...(lockOut !== undefined && { lockOutAfter: wholeNumber('--lock-out', lockOut) }),
})

console.log(`Cloudflare simulator on ${simulator.url}

Start Muster with

  MUSTER_CLOUDFLARE_URL=${simulator.url}

and check one of these (keyType api_token where no email stands beside the key):
`)
for (const [key, expected] of credentials()) console.log(`  ${key.padEnd(74)}  ${expected}`)
console.log(`
Faults: a token simulate_<fault>, filled up with _ to 40 characters, such as ${faultToken('html_502')}
  ${Object.keys(faults).filter(isFaultName).join(' ')}

${lockOut === undefined ? 'Lockout is off (--lock-out 15 switches it on).' : `Lockout after ${lockOut} failures.`}
  curl -X POST ${new URL('/reset', simulator.url)}   forgets failures`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void simulator.close().then(() => process.exit(0)))

function credentials(): (readonly [string, string])[] {
  return [
    [samples.userToken, 'valid: user token'],
    [samples.oldUserToken, 'valid: user token, old format'],
    [samples.accountToken, 'valid: account token'],
    [samples.oldAccountToken, 'valid: account token, old format'],
    [`${samples.oldGlobalKey} ${samples.email}`, 'valid: Global API Key (keyType api_key)'],
    [`${samples.globalKey} ${samples.otherEmail}`, 'valid: Global API Key, new format (keyType api_key)'],
    [samples.expiring, 'valid, expires in three days'],
    [samples.accountFiltered, 'valid, IP filter'],
    [samples.accountLimited, 'valid, limited permissions'],
    [samples.accountZonesOnly, 'valid, sees zones only'],
    [samples.expired, 'invalid: expired'],
    [samples.outOfWindow, 'invalid: expired although "active"'],
    [samples.notYetValid, 'invalid: not yet valid'],
    [samples.disabled, 'invalid: disabled'],
    [samples.revoked, 'invalid: not active (status: revoked)'],
    [samples.unknownUserToken, 'invalid: not recognized'],
    [samples.unknownOldToken, 'invalid: not recognized (three calls at most)'],
    [`${samples.oldGlobalKey} ${samples.otherEmail}`, 'invalid: key or email wrong (keyType api_key)'],
    [`${samples.suspendedKey} ${samples.suspendedEmail}`, 'invalid: suspended (keyType api_key)'],
    [samples.oldGlobalKey, 'invalid: a Global API Key given as a token'],
    [faultToken('transient_10000'), 'invalid: rejected twice'],
    [faultToken('lock_out'), '503 provider_busy, then no call for 300 s'],
    [faultToken('rate_limit_971'), '503 provider_busy, Retry-After 7'],
    [faultToken('html_502'), '502 provider_answer_unexpected'],
    [faultToken('reset_before_headers'), '502 provider_unreachable'],
    [faultToken('delay_headers'), '504 provider_timeout'],
  ]
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  console.error(`${name} must be a whole number up to 65535, not ${JSON.stringify(text)}`)
  process.exit(1)
}
