import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../../platform/package-root.ts'

/**
 * Verifies in a thread of its own: plain JavaScript takes half a second for a hash of cost 12, in which no request would be answered.
 * Starting the thread takes some 30 ms, which only imported users wait, once: sign-in replaces their hash.
 */
export function verifyBcrypt(stored: string, password: string): Promise<boolean> {
  const library = createRequire(`${packageRoot()}/package.json`).resolve('bcryptjs')
  const worker = new Worker(program, { eval: true, execArgv: [], workerData: { library, stored, password } })
  return new Promise((resolve, reject) => {
    worker.once('message', (matches: unknown) => resolve(matches === true))
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread that verifies a bcrypt hash ended with ${code}.`)))
  })
}

/** In JavaScript, because it runs beside the sources, the build and the bundle alike. */
const program = `
const { parentPort, workerData: { library, stored, password } } = require('node:worker_threads')
parentPort.postMessage(require(library).compareSync(password, stored))`
