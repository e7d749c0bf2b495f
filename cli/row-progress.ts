import { type BackupEvents, rowsOf } from '../src/platform/database/backup/manifest.ts'
import { type Progress, startProgress } from './progress.ts'

/** The progress of a task on a backup, in rows, and a sentence at its end. */
export async function withRowProgress<Result>(
  title: string,
  work: (events: BackupEvents) => Promise<Result>,
  sentenceOf: (result: Result) => string,
): Promise<Result> {
  let progress: Progress | undefined
  try {
    const result = await work({
      onManifest: (manifest) => {
        progress = startProgress(title, rowsOf(manifest), 'rows')
      },
      onRows: (rows) => progress?.advance(rows),
    })
    progress?.done(sentenceOf(result))
    return result
  } catch (error) {
    progress?.failed()
    throw error
  }
}
