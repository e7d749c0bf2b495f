import type { Scene, SimulatedNode } from './node.ts'
import type { SimulatedReplica } from './replica.ts'
import { commitLater } from './transactions.ts'

/** Faults of a play, one after the other; `small` ones come in between, at random. */
export interface FaultPlan {
  /** Mean time between short interruptions of one node: its network, or its process. */
  readonly smallEverySeconds: number
  /** How long one node sleeps: longer than events are kept. */
  readonly longSleepSeconds: number
}

/** Events are kept for 10 to 30 minutes. */
export const usualFaults: FaultPlan = { smallEverySeconds: 20, longSleepSeconds: 1_920 }

/** What is played, and when it begins, in seconds. The page shows it. */
export const faults = {
  frozen: { atSeconds: 20, sentence: 'the network between a node and the database swallows everything for 8 s' },
  killed: { atSeconds: 45, sentence: 'a node dies and starts again 5 s later, with an empty cache' },
  failover: { atSeconds: 70, sentence: 'the primary dies, and a standby leads 8 s later' },
  split: { atSeconds: 110, sentence: 'a standby is promoted while the old primary goes on answering' },
  burst: { atSeconds: 150, sentence: 'a node sleeps for 30 s while 12,000 accounts change, more than one look takes' },
  longTransaction: { atSeconds: 200, sentence: 'a transaction changes an account and commits 25 minutes later' },
  replica: { atSeconds: 210, sentence: 'a replica replays nothing for 60 s' },
  plan: { atSeconds: 225, sentence: 'a plan changes, which concerns every response' },
  longSleep: { atSeconds: 240, sentence: 'a node sleeps for longer than events are kept' },
} as const

export type Fault = keyof typeof faults

/** After the last one has ended, all nodes have this long to work again. */
const settleSeconds = 40

export function secondsOf({ longSleepSeconds }: FaultPlan): number {
  return faults.longSleep.atSeconds + longSleepSeconds + 2 * settleSeconds
}

export function plannedFaults(
  plan: FaultPlan,
  scene: Scene,
  nodes: readonly SimulatedNode[],
  replica: SimulatedReplica,
): void {
  const { clock, random, cluster } = scene
  const any = () => nodes[random.below(nodes.length)]
  const at = (fault: Fault, work: () => void) => clock.plan(faults[fault].atSeconds * 1_000, work)
  const later = (seconds: number, work: () => void) => clock.plan(seconds * 1_000, work)

  at('frozen', () => freezeFor(any(), 8_000, scene))
  at('killed', () => {
    const node = any()
    node?.end()
    later(5, () => node?.start())
  })
  at('failover', () => {
    cluster.failOver(8_000)
    later(1, () => {
      for (const node of nodes) node.doubt()
    })
  })
  at('split', cluster.split)
  at('burst', () => {
    any()?.sleep(30_000)
    for (let account = 0; account < 12_000; account += 1)
      later(1 + random.share() * 25, () => commitLater(scene, `account:${account}`, { runsMs: random.exponential(5) }))
  })
  at('longTransaction', () => commitLater(scene, 'account:1', { runsMs: 1_500_000 }))
  at('replica', () => replica.pause(60_000))
  at('plan', () => commitLater(scene, 'all', { runsMs: 5 }))
  at('longSleep', () => any()?.sleep(plan.longSleepSeconds * 1_000))
  smallFaults(plan, scene, nodes)
}

/** Its health check, which would find that out, is not played here: the end of the proof alone must be enough. */
function freezeFor(node: SimulatedNode | undefined, ms: number, { clock }: Scene): void {
  node?.freeze()
  clock.plan(ms, () => node?.thaw())
}

function smallFaults(plan: FaultPlan, scene: Scene, nodes: readonly SimulatedNode[]): void {
  const { clock, random } = scene
  const endsAtMs = (secondsOf(plan) - settleSeconds) * 1_000
  const next = (): void =>
    clock.plan(random.exponential(plan.smallEverySeconds * 1_000), () => {
      if (clock.now() > endsAtMs) return
      const node = nodes[random.below(nodes.length)]
      if (!node?.isRunning()) return next()
      if (random.happens(0.5)) freezeFor(node, random.exponential(1_500), scene)
      else node.sleep(random.exponential(1_500))
      next()
    })
  next()
}
