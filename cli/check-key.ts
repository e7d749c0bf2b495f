import {
  abilityNames,
  type Details,
  type KeyCheck,
  type KeyChecks,
  type KeyType,
  keyChecks,
  type ProviderInfo,
  type Purpose,
  type Verdict,
  zonePattern,
} from '../key-check/index.ts'
import { readConfig } from '../src/config.ts'
import { keyCheckOptions } from '../src/key-checks/options.ts'
import { verdictOf } from '../src/key-checks/verdict.ts'
import { Problem, problems } from '../src/platform/problems.ts'
import { Secret } from '../src/platform/secret.ts'
import { Fault, Interrupted, undeterminedExitCode } from './fault.ts'
import { completeParts, emptyFault, type GivenParts } from './keys/parts.ts'
import { print, printJson, printPairs, styled } from './print.ts'
import { askOne, askSecret, askText, canAsk, readSecret } from './prompt.ts'
import { reportError } from './report-error.ts'
import { openLog } from './with-database.ts'

export interface CheckOptions extends GivenParts {
  readonly provider?: string
  readonly keyType?: KeyType
  readonly email?: string
  readonly details?: true
  readonly forZone?: string
  readonly forAbility?: string
  readonly json?: true
}

/**
 * Runs `muster keys check`. The exit code is the verdict: 0 valid, 1 invalid. Everything else proves nothing about the credential
 * and is 2, wrong settings and options included.
 */
export async function checkKey(options: CheckOptions): Promise<void> {
  try {
    const verdict = await check(options)
    printVerdict(verdict, options)
    process.exitCode = verdict.outcome === 'valid' ? 0 : 1
  } catch (error) {
    if (options.json && error instanceof Problem) printJson(bodyOf(error))
    const exitCode = reportError(error)
    process.exitCode = error instanceof Interrupted ? exitCode : undeterminedExitCode
  }
}

async function check(options: CheckOptions): Promise<Verdict> {
  const purpose = purposeOf(options)
  const config = readConfig(process.env)
  const checks = await keyChecks({ ...keyCheckOptions(config.providers), log: openLog() })
  try {
    const given = await complete(options, checks, options.provider ?? config.providers.defaultId)
    const more = { capabilities: options.details === true, for: purpose }
    return await verdictOf(checks.check({ ...opened(given), ...more }))
  } finally {
    await checks.close()
  }
}

function purposeOf({ forZone, forAbility }: CheckOptions): Purpose | undefined {
  if (forZone !== undefined && (forZone.length > 253 || !new RegExp(zonePattern).test(forZone)))
    throw new Fault('--for-zone takes a host name, such as example.com.')
  const ability = abilityNames.find((name) => name === forAbility)
  if (forAbility !== undefined && ability === undefined)
    throw new Fault(`--for-ability takes one of ${abilityNames.join(', ')}.`)
  if (forZone === undefined && ability === undefined) return undefined
  return { ...(forZone !== undefined && { zone: forZone }), ...(ability && { ability }) }
}

/** A credential that was typed or read, still closed. */
export interface TypedKey extends Omit<KeyCheck, 'apiKey' | 'parts'> {
  readonly apiKey: Secret
  readonly parts?: Readonly<Record<string, Secret>> | undefined
}

/** For one check. */
export function opened({ apiKey, parts = {}, ...rest }: TypedKey): KeyCheck {
  const values = Object.entries(parts).map(([name, part]) => [name, part.open()])
  return { ...rest, apiKey: apiKey.open(), parts: Object.fromEntries(values) }
}

export type GivenCredential = GivenParts & Pick<CheckOptions, 'keyType' | 'email'>

/** Asks for what is missing, where the terminal is interactive and the provider leaves a choice. */
export async function complete(options: GivenCredential, checks: KeyChecks, provider: string): Promise<TypedKey> {
  const info = checks.providers().find(({ id }) => id === provider)
  const keyType = options.keyType ?? (info ? await chooseKeyType(info) : 'api_token')
  const taken = info?.keyTypes.find((type) => type.keyType === keyType)
  // The check refuses what it does not support, and says why: no need to ask for a credential first.
  if (!info || !taken) return { provider, keyType, apiKey: new Secret('') }
  const lacksEmail = taken.email === 'required' && options.email === undefined && canAsk()
  const email = lacksEmail ? await askText(`E-mail address of the ${info.title} account`, emptyFault) : options.email
  const parts = await completeParts(info.title, taken.fields, options)
  const key = taken.fields.find(({ name }) => name === 'apiKey')
  if (key?.multiline && canAsk())
    throw new Fault(`The ${key.label} is a file: pipe it into this command, with < and its path.`)
  return { provider, keyType, email, parts, apiKey: await readKey(`${info.title} ${key?.label ?? taken.label}`) }
}

async function chooseKeyType({ title, keyTypes }: ProviderInfo): Promise<KeyType> {
  const [only, ...others] = keyTypes
  if (only && others.length === 0) return only.keyType
  const names = keyTypes.map(({ keyType }) => keyType)
  if (!canAsk())
    throw new Fault(`${title} takes several kinds of keys: say which with --key-type ${names.join(' or ')}.`)
  return askOne(
    `What kind of ${title} key is it?`,
    keyTypes.map(({ keyType, label }) => ({ value: keyType, label, hint: keyType })),
  )
}

function readKey(what: string): Promise<Secret> {
  return canAsk() ? askSecret(what, emptyFault) : readSecret(`the ${what}`)
}

function printVerdict({ outcome, message, details }: Verdict, { json, details: wantsAll }: CheckOptions): void {
  const { fitsPurpose, purpose } = details
  const isValid = outcome === 'valid'
  const wantsDetails = wantsAll || (json && fitsPurpose !== undefined)
  if (json) {
    printJson({ isValid, message, ...(wantsDetails && { details }) })
    return
  }
  print(`${isValid ? styled('green', 'valid') : styled('red', 'not valid')}  ${message}`)
  if (wantsDetails) printPairs(pairsOf(details))
  else if (fitsPurpose !== undefined) print(`fits its purpose: ${fitsPurpose}  ${purpose}`)
}

function pairsOf({ warnings, capabilities, cached, ...rest }: Details): (readonly [string, string])[] {
  const found = Object.entries({ ...rest, ...capabilities }).map(([name, value]) => [name, String(value)] as const)
  return [...found, ...warnings.map((warning) => ['warning', warning] as const)]
}

/** The problem that the service would answer, without the members that belong to a request. */
function bodyOf({ code, message, more }: Problem): object {
  const { title, status } = problems[code]
  return { title, status, code, detail: message, ...(more.errors && { errors: more.errors }) }
}
