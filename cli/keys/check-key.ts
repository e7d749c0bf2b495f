import {
  abilityNames,
  type Details,
  keyChecks,
  type Purpose,
  type Verdict,
  zonePattern,
} from '../../key-check/index.ts'
import { readConfig } from '../../src/config.ts'
import { keyCheckOptions, verdictOf } from '../../src/key-checks/library.ts'
import { Problem, problems } from '../../src/platform/problems.ts'
import { Fault, runForVerdict } from '../errors.ts'
import { print, printJson, printPairs, styled } from '../print.ts'
import { completeCredential, type GivenCredential, openCredential } from './credential.ts'
import { failedCallNotes } from './failed-call-notes.ts'

export interface CheckOptions extends GivenCredential {
  readonly provider?: string
  readonly details?: true
  readonly forZone?: string
  readonly forAbility?: string
  readonly prove?: true
  readonly json?: true
}

/** `muster keys check`. Exit code 0: valid, 1: invalid, 2: anything else, including wrong settings and options. */
export async function checkKey(options: CheckOptions): Promise<void> {
  await runForVerdict(async () => {
    try {
      const verdict = await check(options)
      printVerdict(verdict, options)
      return verdict.outcome === 'valid' ? 0 : 1
    } catch (error) {
      if (options.json && error instanceof Problem) printJson(bodyOf(error))
      throw error
    }
  })
}

async function check(options: CheckOptions): Promise<Verdict> {
  const purpose = purposeOf(options)
  const config = readConfig(process.env)
  const checks = await keyChecks({ ...keyCheckOptions(config), onCall: failedCallNotes() })
  try {
    const given = await completeCredential(options, checks, options.provider ?? config.providers.defaultId)
    const more = { capabilities: options.details === true, for: purpose }
    return await verdictOf(checks.check({ ...openCredential(given), ...more }))
  } finally {
    await checks.close()
  }
}

function purposeOf({ forZone, forAbility, prove }: CheckOptions): Purpose | undefined {
  if (forZone !== undefined && (forZone.length > 253 || !new RegExp(zonePattern).test(forZone)))
    throw new Fault('--for-zone must be a host name, such as example.com.')
  const ability = abilityNames.find((name) => name === forAbility)
  if (forAbility !== undefined && ability === undefined)
    throw new Fault(`--for-ability must be one of ${abilityNames.join(', ')}.`)
  if (prove && (forZone === undefined || ability !== 'dns:edit'))
    throw new Fault('--prove needs --for-zone and --for-ability dns:edit.')
  if (forZone === undefined && ability === undefined) return undefined
  return {
    ...(forZone !== undefined && { zone: forZone }),
    ...(ability && { ability }),
    ...(prove && { prove: 'refused_write' }),
  }
}

function printVerdict({ outcome, message, details }: Verdict, { json, details: wantsAll }: CheckOptions): void {
  const { fitsPurpose, purpose } = details
  const isValid = outcome === 'valid'
  const wantsDetails = wantsAll || (json && fitsPurpose !== undefined)
  if (json) {
    printJson({ isValid, message, ...(wantsDetails && { details }) })
    return
  }
  print(`${isValid ? styled('green', 'valid') : styled('red', 'invalid')}  ${message}`)
  if (wantsDetails) printPairs(pairsOf(details))
  else if (fitsPurpose !== undefined) print(`fits its purpose: ${fitsPurpose}  ${purpose}`)
}

function pairsOf({ warnings, capabilities, advice, cached, ...rest }: Details): (readonly [string, string])[] {
  const found = Object.entries({ ...rest, ...capabilities }).map(([name, value]) => [name, String(value)] as const)
  const advised = advice ? [['advice', `${advice.text} ${advice.page}`] as const] : []
  return [...found, ...warnings.map((warning) => ['warning', warning] as const), ...advised]
}

/** The problem that the service would return, without the members of a request. */
function bodyOf({ code, message, more }: Problem): object {
  const { title, status } = problems[code]
  return { title, status, code, detail: message, ...(more.errors && { errors: more.errors }) }
}
