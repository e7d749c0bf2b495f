import { createProgram } from './program.ts'
import { isClosedPipe, reportError } from './report-error.ts'

// A reader that has seen enough, such as `head`, closes the pipe. The command still runs to its end, so that it closes everything that
// it opened; the rest of its output is dropped.
process.stdout.on('error', (error) => {
  if (!isClosedPipe(error)) throw error
})

createProgram(process.argv[2])
  .then((program) => program.parseAsync())
  .catch((error: unknown) => {
    process.exitCode = reportError(error)
  })
