import { createProgram } from './program.ts'
import { isClosedPipe, reportError } from './report-error.ts'

// A reader that has seen enough, such as `head`, closes the pipe. The command ends as it would anyway, so that it still closes
// what it opened; what it has left to say goes nowhere.
process.stdout.on('error', (error) => {
  if (!isClosedPipe(error)) throw error
})

createProgram()
  .parseAsync()
  .catch((error: unknown) => {
    process.exitCode = reportError(error)
  })
