import { ConfigError } from './platform/settings.ts'
import { StartError } from './platform/start-error.ts'
import { serve } from './serve.ts'

serve(process.env).catch((error: unknown) => {
  // These messages explain themselves. Any other error is a bug in Muster and is printed with its stack.
  const isExplained = error instanceof ConfigError || error instanceof StartError
  process.stderr.write(`${isExplained ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 1
})
