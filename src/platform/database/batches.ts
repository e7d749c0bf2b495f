import { DatabaseError } from 'pg'

/** One statement for all items. Answers a result for each, in their order; an `Error` fails that item alone. */
export type RunBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly (Result | Error)[]>

/**
 * The lists in the parameters $1, $2, … as a table. The planner must not see how long they are: a plan for few items would look cheaper
 * than the one for any number, and every call would be planned anew, which takes several times as long as the statement.
 */
export function itemsOf(...types: readonly string[]): string {
  const lists = types.map((type, index) => `(select $${index + 1}::${type}[])`)
  return `unnest(${lists.join(', ')})`
}

export interface BatchOptions {
  /** One statement handles at most so many items. */
  readonly itemsMax: number
  /** The items that come while a statement is under way go together in the next. Otherwise each statement begins at once. */
  readonly isOneAtATime: boolean
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly resolve: (result: Result) => void
  readonly reject: (error: Error) => void
}

/**
 * Handles items of concurrent requests by one statement, because a round trip costs several times as much as one more row. Nothing is
 * cached, and an item never gets the result of a statement that began before it came.
 */
export function createBatches<Item, Result>(
  run: RunBatch<Item, Result>,
  { itemsMax, isOneAtATime }: BatchOptions = { itemsMax: 200, isOneAtATime: true },
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = []
  let underWay: Promise<unknown> = Promise.resolve()

  function start(): void {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, itemsMax)
      underWay = isOneAtATime ? underWay.then(() => handle(run, batch)) : handle(run, batch)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const count = waiting.push({ item, resolve, reject })
      // When everything that has arrived is read. In the context of the first item: the span of the statement belongs to its trace.
      if (count === 1) setImmediate(() => void (isOneAtATime ? underWay.then(start) : start()))
    })
}

async function handle<Item, Result>(
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

/** Never rejects. What PostgreSQL refuses about one item must not cost the others their result. */
async function runEach<Item, Result>(
  run: RunBatch<Item, Result>,
  items: readonly Item[],
): Promise<readonly (Result | Error)[]> {
  try {
    const results = await run(items)
    if (results.length === items.length) return results
    throw new Error(`A statement answered ${results.length} results for ${items.length} items.`)
  } catch (error) {
    if (error instanceof DatabaseError && items.length > 1)
      return (await Promise.all(items.map((item) => runEach(run, [item])))).flat()
    const failure = error instanceof Error ? error : new Error('A statement failed.', { cause: error })
    return items.map(() => failure)
  }
}
