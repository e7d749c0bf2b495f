import { once } from 'node:events'
import { pino } from 'pino'
import { EmbeddedError, startEmbedded } from '../index.ts'

/** Owns the server in the data directory given as argument until its standard input ends. Prints `ready`, or `refused <sentence>`. */
const [dataDir = ''] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  const server = await startEmbedded({ dataDir, mode: 'own', log: pino({ level: 'silent' }) })
  say('ready')
  process.stdin.resume()
  await once(process.stdin, 'end')
  await server.close()
} catch (error) {
  if (!(error instanceof EmbeddedError)) throw error
  say(`refused ${error.message}`)
  process.exitCode = 1
}
