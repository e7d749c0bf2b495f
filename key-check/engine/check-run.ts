import { randomBytes } from 'node:crypto'
import {
  afterRivals,
  type CheckRunParts,
  findOutcome,
  type ReadResult,
  type Run,
  send,
  startRun,
  type Wanted,
} from './calls.ts'
import { joinCapabilities, ofBeginning } from './capabilities.ts'
import { withRefusedAddress } from './classify.ts'
import {
  type AbilityContext,
  type AbilityRead,
  type FoundAbilities,
  type Outcome,
  type Probe,
  type ProofContext,
  type Provider,
  undetermined,
  type Valid,
} from './provider.ts'

/**
 * Sends one probe after another until the outcome is known, then reads abilities. Aborts the controller at the deadline; an abort before the
 * outcome ends the check as a timeout.
 */
export async function runCheck(
  parts: CheckRunParts,
  asked: Pick<Run, 'credential' | 'digest'> & { readonly wanted: Wanted },
  controller: AbortController,
): Promise<Outcome> {
  const { wanted } = asked
  const run = startRun(parts, asked, controller.signal)
  const abort = () => controller.abort()
  let timer = setTimeout(abort, parts.limits.deadlineMs)
  const leave = (ms: number) => {
    const untilMs = Math.max(run.deadlineAtMs, performance.now() + ms)
    run.deadlineAtMs = untilMs
    clearTimeout(timer)
    timer = setTimeout(abort, untilMs - performance.now())
  }
  try {
    return await parts.client.run(async () => {
      const outcome = await afterRivals(run, await findOutcome(run), leave)
      return wanted.capabilities && outcome.kind === 'valid' ? withAbilities(run, outcome, wanted) : outcome
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Whether a check of this provider makes the reads: always, or if they are requested. */
export function readsAbilities({ abilities }: Provider, isRequested: boolean): boolean {
  if (typeof abilities === 'string' || 'unknown' in abilities) return false
  return isRequested || abilities.isAlwaysRead === true
}

/** Whether the provider can look up a zone by name. */
export function looksUpZones({ abilities }: Provider): boolean {
  return typeof abilities === 'object' && 'zone' in abilities
}

/** Whether the provider has a write whose refusals are known. */
export function canProve({ abilities }: Provider): boolean {
  return typeof abilities === 'object' && 'proof' in abilities
}

/**
 * Adds to a plain yes what the reads show, and the proof. Skips them if little time is left. One that fails leaves the outcome valid: a limit
 * of the credential may have caused it.
 */
async function withAbilities(run: Run, outcome: Valid, { zone, proof: wantsProof }: Wanted): Promise<Valid> {
  const { abilities } = run.credential.provider
  const { lastAnswer: decided } = run
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
  const sent = isSent && { isProofSent: isSent }
  if (!shown) return { ...found, ...sent, isIncomplete: true }
  return { ...found, ...sent, capabilities: joinCapabilities(capabilities, shown.capabilities ?? {}) }
}

function mayCall({ callsLeft, deadlineAtMs, limits }: Run, callsKept = 0): boolean {
  return callsLeft > callsKept && performance.now() + limits.abilityReadMinMs <= deadlineAtMs
}

async function readOnce<Context>(
  run: Run,
  { request, find, answersXml }: AbilityRead<Context>,
  context: Context,
): Promise<ReadResult> {
  const read: ReadResult = {}
  const probe: Probe = {
    ...(answersXml && { answersXml }),
    readsBeginning: true,
    request: (credential, moment) => request(credential, moment, context),
    classify(answer) {
      const { status } = answer
      const result = status === 200 || (status >= 400 && status < 500) ? find(answer, context) : undefined
      if (result && 'kind' in result) {
        read.busy = result
        return result
      }
      const isShown = result && status !== 429
      const shown = isShown && answer.isCutOff ? foundInBeginning(result) : result
      read.found = isShown && shown ? withRefusedAddress(shown, answer) : undefined
      return undetermined('unexpected_answer')
    },
  }
  await send(run, probe, read)
  return read
}

/** The beginning of a list never shows that a zone is missing. */
function foundInBeginning({ hasZone, caveat: _, capabilities = {}, ...found }: FoundAbilities): FoundAbilities {
  return { ...found, ...(hasZone && { hasZone }), capabilities: ofBeginning(capabilities) }
}
