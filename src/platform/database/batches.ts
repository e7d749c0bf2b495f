import DataLoader from 'dataloader'
import { DatabaseError } from 'pg'

/** One statement handles at most so many items. */
const itemsMax = 200

/**
 * Handles items of concurrent requests by one statement at a time: those that come while one is under way go together in the next. A round
 * trip costs several times as much as one more row. `run` answers a result for each item, in their order.
 */
export function createBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let underWay: Promise<unknown> = Promise.resolve()
  const loader = new DataLoader<Item, Result>(
    (items) => {
      const results = runEach(run, items)
      underWay = results
      return results
    },
    {
      cache: false,
      maxBatchSize: itemsMax,
      // When everything that has arrived is read, and the statement before is over.
      batchScheduleFn: (start) => void setImmediate(() => void underWay.then(start)),
    },
  )
  return (item) => loader.load(item)
}

/** Never rejects. What PostgreSQL refuses about one item must not cost the others their result. */
async function runEach<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  items: readonly Item[],
): Promise<readonly (Result | Error)[]> {
  try {
    return await run(items)
  } catch (error) {
    if (error instanceof DatabaseError && items.length > 1)
      return (await Promise.all(items.map((item) => runEach(run, [item])))).flat()
    const failure = error instanceof Error ? error : new Error('A statement failed.', { cause: error })
    return items.map(() => failure)
  }
}
