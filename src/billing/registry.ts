import { isProcessor, type PaymentProcessor } from './processor.ts'
import { processorFiles } from './processor-files.ts'

/** Every payment processor of the folder `processors`, by id. A file that is none stops the start. */
export const processors: readonly PaymentProcessor[] = [...processorFiles].map(([id, found]) =>
  readProcessor(id, found),
)

function readProcessor(id: string, found: unknown): PaymentProcessor {
  const value = typeof found === 'object' && found !== null && 'processor' in found ? found.processor : undefined
  if (!isProcessor(value))
    throw new Error(`src/billing/processors: ${id} does not export a payment processor as processor`)
  if (value.id !== id) throw new Error(`src/billing/processors: the file ${id} holds the processor ${value.id}`)
  return value
}
