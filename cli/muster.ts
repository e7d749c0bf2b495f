import { isClosedPipe, reportError } from './errors.ts'
import { createProgram } from './program.ts'

// A reader such as `head` closes the pipe early. The command still runs to its end, so that it closes everything it opened; the rest of
// its output is dropped.
process.stdout.on('error', (error) => {
  if (!isClosedPipe(error)) throw error
})

createProgram(process.argv.slice(2))
  .then((program) => program.parseAsync())
  .catch((error: unknown) => {
    process.exitCode = reportError(error)
  })
