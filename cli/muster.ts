import { createProgram } from './program.ts'
import { tellFault } from './tell-fault.ts'

// A reader that has seen enough, such as `head`, closes the pipe: that is no fault of anybody.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})

try {
  await createProgram().parseAsync()
} catch (error) {
  process.exitCode = tellFault(error)
}
