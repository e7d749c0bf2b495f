import { appendFileSync, readFileSync } from 'node:fs'
import { type File, type Suite, startTests, type Task } from '@vitest/runner'
import type { EvaluatedModules } from 'vite/module-runner'
import { vi } from 'vitest'
import { VitestTestRunner } from 'vitest/runners'
import type { FileReach, Line, Plan, Trial, TrialRun } from './plan.ts'

type Config = VitestTestRunner['config']
type Traces = Parameters<VitestTestRunner['__setTraces']>[0]

/** Evaluations of one mutant after which it counts as one that never ends. */
const evaluationsMax = 1_000_000

interface State {
  active: number
  evaluations: number
  top: number
  isNoting: boolean
  readonly atLoad: Map<number, Set<number>>
  reached: Set<number>
  /** What was thrown or rejected and nothing caught. */
  uncaught: Failure | undefined
}

/** What the instrumented sources ask and tell. */
const state: State = {
  active: 0,
  evaluations: 0,
  top: 0,
  isNoting: false,
  atLoad: new Map(),
  reached: new Set(),
  uncaught: undefined,
}

function m(id: number): boolean {
  if (id === state.active) {
    state.evaluations += 1
    if (state.evaluations > evaluationsMax) throw new Error('The mutant does not end.')
    return true
  }
  if (state.isNoting) note(id)
  return false
}

function note(id: number): void {
  if (state.top === 0) {
    state.reached.add(id)
    return
  }
  const found = state.atLoad.get(state.top) ?? new Set()
  state.atLoad.set(state.top, found.add(id))
}

function t(top: number): void {
  state.top = top
}

Object.assign(globalThis, { musterMutation: { m, t } })

/**
 * Runs, inside of one worker of Vitest and after the file that Vitest gave it, the test files of a plan again and again: without a fault,
 * noting what they reach, or once for each mutant, whose number is made active. The modules stay loaded.
 */
class MutationRunner extends VitestTestRunner {
  private traces: Traces | undefined

  override __setTraces(traces: Traces): void {
    this.traces = traces
    super.__setTraces(traces)
  }

  override async onAfterRunFiles(): Promise<void> {
    super.onAfterRunFiles()
    const plan: Plan = JSON.parse(readFileSync(process.env.MUSTER_MUTATION_PLAN ?? '', 'utf8'))
    const write = (line: Line) => appendFileSync(plan.out, `${JSON.stringify(line)}\n`)
    process.on('unhandledRejection', keepUncaught)
    process.on('uncaughtException', keepUncaught)
    if (plan.kind === 'without faults')
      for (const file of plan.tests) write({ kind: 'reach', reach: await this.reachOf(file) })
    else await this.tryAll(plan.trials, write)
  }

  private async reachOf(file: string): Promise<FileReach> {
    vi.resetModules()
    state.atLoad.clear()
    const around = new Set<number>()
    const tests: FileReach['tests'][number][] = []
    state.isNoting = true
    state.reached = around
    const started = performance.now()
    const run = this.inner({
      before() {
        state.reached = new Set()
      },
      after(task) {
        const reached = [...state.reached]
        tests.push({ id: task.id, name: nameOf(task), ms: task.result?.duration ?? 0, reached })
        state.reached = around
      },
    })
    const failure = await run.start(file)
    state.isNoting = false
    const ms = performance.now() - started
    const atLoad = [...state.atLoad].map(([top, reached]) => [top, [...reached]] as const)
    return { file, ms, around: [...around], tests, atLoad, ...(failure && { failure: failure.text }) }
  }

  private async tryAll(trials: readonly Trial[], write: (line: Line) => void): Promise<void> {
    const kills = new Map<string, number>()
    let isLoadedWithFault = false
    for (const { id, source, isAtLoad, runs } of trials) {
      write({ kind: 'started', id })
      const started = performance.now()
      const priority = ({ file, costMs }: TrialRun) => costMs / (1 + (kills.get(`${source} ${file}`) ?? 0))
      let line: Line = { kind: 'ended', id, status: 'survived', ms: 0 }
      for (const run of runs.toSorted((one, other) => priority(one) - priority(other))) {
        if (isAtLoad || isLoadedWithFault) vi.resetModules()
        isLoadedWithFault = isAtLoad
        const failure = await this.failureWith(id, run)
        if (!failure) continue
        kills.set(`${source} ${run.file}`, (kills.get(`${source} ${run.file}`) ?? 0) + 1)
        const status = failure.isTimeout ? 'timeout' : 'killed'
        line = { kind: 'ended', id, status, file: run.file, by: failure.text, ms: 0 }
        break
      }
      write({ ...line, ms: Math.round(performance.now() - started) })
      // What ran out of time may still run, with the modules that it has.
      if (line.status === 'timeout') isLoadedWithFault = true
    }
  }

  /** An error that nothing catches fails a run of Vitest as well. It has to come twice: the first may be of the mutant before. */
  private async failureWith(id: number, run: TrialRun): Promise<Failure | undefined> {
    const failure = await this.tryOne(id, run)
    if (failure || !state.uncaught) return failure
    return (await this.tryOne(id, run)) ?? state.uncaught
  }

  private async tryOne(id: number, { file, tests, timeoutMs }: TrialRun): Promise<Failure | undefined> {
    const limits = { testTimeout: timeoutMs, hookTimeout: timeoutMs }
    const run = this.inner({}, tests && new Set(tests), { ...this.config, ...limits })
    state.evaluations = 0
    state.uncaught = undefined
    state.active = id
    try {
      return await run.start(file)
    } finally {
      state.active = 0
    }
  }

  private inner(watch: Watch, wanted?: ReadonlySet<string>, config: Config = this.config): InnerRun {
    const run = new InnerRun(config, watch, wanted)
    // Vitest gives these to the runner that it made.
    Object.defineProperty(run, 'moduleRunner', { value: Reflect.get(this, 'moduleRunner') })
    if (this.traces) run.__setTraces(this.traces)
    return run
  }
}

// Vitest asks for a default export.
// biome-ignore lint/style/noDefaultExport: see above
export default MutationRunner

function keepUncaught(error: unknown): void {
  state.uncaught = { text: `not caught: ${String(error).split('\n')[0]?.slice(0, 200)}`, isTimeout: false }
}

interface Watch {
  before?(): void
  after?(task: Task): void
}

interface Failure {
  readonly text: string
  readonly isTimeout: boolean
}

/** Runs a file, or some of its tests, up to the first failure, and reports nothing to Vitest. */
class InnerRun extends VitestTestRunner {
  private readonly watch: Watch
  private readonly wanted: ReadonlySet<string> | undefined

  constructor(config: Config, watch: Watch, wanted: ReadonlySet<string> | undefined) {
    super(config)
    this.watch = watch
    this.wanted = wanted
  }

  async start(filepath: string): Promise<Failure | undefined> {
    const [file] = await startTests([filepath], this)
    return file && failureOf(file)
  }

  /** The modules of an earlier run may stay loaded, the tests themselves are collected anew. */
  override importFile(filepath: string, source: Parameters<VitestTestRunner['importFile']>[1]): unknown {
    // Vitest declares the state of its worker as private; `EvaluatedModules` is public in vite/module-runner.
    const modules: EvaluatedModules = Reflect.get(this, 'workerState').evaluatedModules
    for (const node of modules.getModulesByFile(filepath) ?? []) modules.invalidateModule(node)
    return super.importFile(filepath, source)
  }

  onCollected(files: File[]): void {
    for (const file of files) keepOnly(file, this.wanted)
  }

  override async onBeforeRunTask(task: Parameters<VitestTestRunner['onBeforeRunTask']>[0]): Promise<void> {
    await super.onBeforeRunTask(task)
    this.watch.before?.()
  }

  override onAfterRunTask(task: Task): void {
    super.onAfterRunTask(task)
    this.watch.after?.(task)
    if (task.result?.state === 'fail') this.cancel('test-failure')
  }
}

/** Whether anything of the suite is left to run. */
function keepOnly(suite: Suite, wanted: ReadonlySet<string> | undefined): boolean {
  const kept = suite.tasks.filter((task) => {
    if (task.type === 'suite') return keepOnly(task, wanted)
    if (wanted?.has(task.id) === false) task.mode = 'skip'
    return task.mode === 'run' || task.mode === 'queued'
  })
  if (kept.length === 0 && suite.type === 'suite') suite.mode = 'skip'
  return kept.length > 0
}

function failureOf(task: Task): Failure | undefined {
  if (task.result?.state !== 'fail') return undefined
  const inner = task.type === 'suite' ? task.tasks.map(failureOf).find((found) => found) : undefined
  if (inner) return inner
  const message = task.result.errors?.[0]?.message ?? ''
  const isTimeout = /timed out in \d+ms/.test(message) || message.startsWith('The mutant does not end')
  return { text: `${nameOf(task)}: ${message.split('\n')[0]?.slice(0, 200)}`, isTimeout }
}

function nameOf(task: Task): string {
  return task.suite ? `${nameOf(task.suite)} > ${task.name}` : task.name
}
