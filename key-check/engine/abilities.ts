import { randomBytes } from 'node:crypto'
import { joinCapabilities } from './answers.ts'
import { coolDown, countRejection, makeCall, type Run, report } from './calls.ts'
import { classifyRead } from './classify.ts'
import {
  type AbilityContext,
  type AbilityRead,
  type FoundAbilities,
  type Probe,
  type ProofContext,
  undetermined,
  type Valid,
} from './provider.ts'

/** What a check finds out besides the verdict. */
export interface Wanted {
  readonly capabilities: boolean
  /** The zone to look up by name, or ''. */
  readonly zone: string
  /** Whether to send the write of `proof`. */
  readonly proof: boolean
}

/**
 * Adds to a plain yes what the reads show, and the proof. Skips them if little time is left. One that fails leaves the outcome valid: a limit
 * of the credential may have caused it.
 */
export async function withAbilities(run: Run, outcome: Valid, { zone, proof: wantsProof }: Wanted): Promise<Valid> {
  const { abilities } = run.credential.provider
  const { decided } = run
  if (outcome.caveat || typeof abilities === 'string' || 'unknown' in abilities || !decided) return outcome
  const read = (zone === '' ? undefined : abilities.zone) ?? abilities.list
  if (!read) return outcome
  const proof = wantsProof ? abilities.proof : undefined
  const { zoneId, ...shown } = await readAll(run, read, { context: { zone, decided }, proof })
  const found = proof && zoneId !== undefined ? await prove(run, shown, { proof, zone, decided, zoneId }) : shown
  const capabilities = joinCapabilities(outcome.capabilities ?? {}, found.capabilities ?? {})
  const isKnown = Object.keys(capabilities).length > 0 || found.hasZone !== undefined
  const caveat = found.caveat ?? (isKnown ? undefined : 'capabilities_unknown')
  return { ...outcome, ...found, ...(caveat && { caveat }), capabilities }
}

type Found = Omit<FoundAbilities, 'next' | 'zoneId'> & Pick<Valid, 'isIncomplete' | 'isProofSent'>

interface Reading {
  readonly context: AbilityContext
  /** The proof that follows. It has the last call. */
  readonly proof: Proof | undefined
}

type Proof = AbilityRead<ProofContext>

/** Makes the reads in a row, up to the first one that fails. */
async function readAll(run: Run, first: AbilityRead, { context, proof }: Reading): Promise<Found & ZoneId> {
  let found: Found & ZoneId = {}
  let read: AbilityRead | undefined = first
  while (read) {
    const callsKept = proof && found.zoneId !== undefined ? 1 : 0
    const shown: FoundAbilities | undefined = mayCall(run, callsKept)
      ? (await readOnce(run, read, context)).found
      : undefined
    if (!shown) return { ...found, isIncomplete: true }
    const { next, capabilities = {}, ...more }: FoundAbilities = shown
    found = { ...found, ...more, capabilities: joinCapabilities(found.capabilities ?? {}, capabilities) }
    read = next
  }
  return found
}

type ZoneId = Pick<FoundAbilities, 'zoneId'>

/** Sends the write that cannot succeed, unless the reads have answered the question. */
async function prove(
  run: Run,
  found: Found,
  { proof, ...context }: { readonly proof: Proof } & Omit<ProofContext, 'unusedValue'>,
): Promise<Found> {
  const { capabilities = {} } = found
  const isKnown = [capabilities.abilities, capabilities.lacks].some((names) => names?.includes('dns:edit'))
  if (isKnown) return found
  if (!mayCall(run)) return { ...found, isIncomplete: true }
  const unusedValue = randomBytes(16).toString('hex')
  const { found: shown, isSent } = await readOnce(run, proof, { ...context, unusedValue })
  const sent = isSent && { isProofSent: true as const }
  if (!shown) return { ...found, ...sent, isIncomplete: true }
  return { ...found, ...sent, capabilities: joinCapabilities(capabilities, shown.capabilities ?? {}) }
}

function mayCall({ callsLeft, deadline, limits }: Run, callsKept = 0): boolean {
  return callsLeft > callsKept && deadline.leftMs() >= limits.abilityReadMinMs
}

/**
 * One read. It may be limited or fail at another server of the provider, or for one customer only. So it starts a cool-down only if the
 * provider file says so, and does not count for the circuit breaker. `isSent`: the call was sent, whatever came of it.
 */
async function readOnce<Context>(
  run: Run,
  { request, find, answersXml }: AbilityRead<Context>,
  context: Context,
): Promise<{ readonly found?: FoundAbilities; readonly isSent: boolean }> {
  const probe: Probe = {
    ...(answersXml && { answersXml }),
    readsBeginning: true,
    request: (credential, moment) => request(credential, moment, context),
    classify: () => undetermined('unexpected_answer'),
  }
  const made = await makeCall(run, probe, () => 'uncounted')
  if (made.kind === 'undetermined') return { isSent: false }
  const { answer } = made
  const isSent = made.request !== undefined
  const read = classifyRead(probe, answer, { limits: run.limits, find: (readable) => find(readable, context) })
  if (read.kind === 'abilities') {
    report(run, made, read)
    return { found: read.found, isSent }
  }
  if (read.kind === 'busy') coolDown(run, read.why)
  else await countRejection(run, answer, read.why)
  report(run, made, read.why)
  return { isSent }
}
