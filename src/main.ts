import { ConfigError } from './config.ts'
import { StartError } from './platform/start-error.ts'
import { serve } from './serve.ts'

serve(process.env).catch((error: unknown) => {
  // What a person can mend is told in a sentence; anything else is a fault of ours, with its stack.
  const isExplained = error instanceof ConfigError || error instanceof StartError
  process.stderr.write(`${isExplained ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
