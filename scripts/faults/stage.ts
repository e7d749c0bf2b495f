import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LogLine, type Node, type NodeOptions, startNode } from './node.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** The environment of a section. Closes everything that was opened here, also after a failure. */
export interface Stage {
  /** A new folder that PostgreSQL's user may enter. */
  readonly folder: string
  /** The PostgreSQL of the section, started by the first call. */
  postgres(): Promise<Postgres>
  node(options: NodeOptions): Promise<Node>
  /** Runs at the end, in reverse order. */
  onEnd(work: () => unknown): void
  /** The last log lines of each node. */
  nodeLogs(): readonly (readonly LogLine[])[]
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-faults-'))
  await chmod(folder, 0o711)
  const endings: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  const nodes: Node[] = []
  let postgres: Promise<Postgres> | undefined
  const onEnd: Stage['onEnd'] = (work) => endings.push(work)
  return {
    folder,
    postgres() {
      postgres ??= startPostgres(join(folder, 'data')).then((started) => {
        onEnd(() => started.stop())
        return started
      })
      return postgres
    },
    async node(options) {
      const node = await startNode(options)
      nodes.push(node)
      onEnd(() => node.kill())
      return node
    },
    onEnd,
    nodeLogs: () => nodes.map(({ lines }) => lines.slice(-10)),
    async close() {
      for (const end of endings.splice(0).reverse()) await end()
    },
  }
}

/** One fault: what was done, what was promised, and what was seen. */
export interface Finding {
  readonly done: string
  readonly promised: string
  readonly seen: string
  /** Undefined if this machine could not run it. */
  readonly isKept: boolean | undefined
}

/** Options of the command line; most sections need none. */
export interface SectionOptions {
  /** The folder with the installed package of the previous release. */
  readonly from: string | undefined
  readonly accounts: number
}

export interface Section {
  readonly name: string
  /** Time limit; a section that exceeds it is aborted and counts as a broken promise. */
  readonly secondsMax: number
  run(stage: Stage, options: SectionOptions): Promise<readonly Finding[]>
}
