import { DatabaseError } from 'pg'

/** Runs one statement for a list of items. Returns one result per item, in order; an `Error` rejects only that item. */
type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly (Result | Error)[]>

/**
 * SQL for the array parameters $1, $2, … as a table.
 *
 * The subselect around each parameter hides the array's length from the planner. Without it PostgreSQL prefers a custom plan for few
 * items and replans every call, which costs several times as much as the statement.
 */
export function unnestOf(...types: readonly string[]): string {
  const lists = types.map((type, index) => `(select $${index + 1}::${type}[])`)
  return `unnest(${lists.join(', ')})`
}

interface BatchOptions {
  /** Maximum number of items per statement. */
  readonly itemsMax: number
  /** true: run one statement at a time and collect new items meanwhile. false: start each statement immediately. */
  readonly isOneAtATime: boolean
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

/**
 * Combines items of concurrent requests into one statement: a round trip costs several times as much as another row.
 * Nothing is cached: an item never gets the result of a statement that started before the item arrived.
 */
export function createBatches<Item, Result>(
  run: RunBatch<Item, Result>,
  { itemsMax, isOneAtATime }: BatchOptions = { itemsMax: 200, isOneAtATime: true },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let running: Promise<unknown> = Promise.resolve()

  function start(): void {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, itemsMax)
      running = isOneAtATime ? running.then(() => runBatch(run, batch)) : runBatch(run, batch)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const count = waiting.push({ item, resolve, reject })
      // Wait one tick, so that everything already received joins the batch. Scheduling in the context of the first item puts the
      // statement's span into that item's trace.
      if (count === 1) setImmediate(() => void (isOneAtATime ? running.then(start) : start()))
    })
}

async function runBatch<Item, Result>(
  run: RunBatch<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  const results = await runEach(
    run,
    batch.map(({ item }) => item),
  )
  for (const [index, result] of results.entries())
    if (result instanceof Error) batch[index]?.reject(result)
    else batch[index]?.resolve(result)
}

/** Never rejects. If PostgreSQL rejects the batch, runs each item alone, so that one bad item fails only itself. */
async function runEach<Item, Result>(
  run: RunBatch<Item, Result>,
  items: readonly Item[],
): Promise<readonly (Result | Error)[]> {
  try {
    const results = await run(items)
    if (results.length === items.length) return results
    throw new Error(`A statement returned ${results.length} results for ${items.length} items.`)
  } catch (error) {
    if (error instanceof DatabaseError && items.length > 1)
      return (await Promise.all(items.map((item) => runEach(run, [item])))).flat()
    const failure = error instanceof Error ? error : new Error('A statement failed.', { cause: error })
    return items.map(() => failure)
  }
}
