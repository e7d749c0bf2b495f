import { isProcessor, type PaymentProcessor } from './processor.ts'
import { processorFiles } from './processor-files.ts'

/** Every payment processor in the folder `processors`, by id. */
export const processors: readonly PaymentProcessor[] = readProcessors(processorFiles)

/** Throws if a file is not a payment processor, which stops the start. */
export function readProcessors(files: ReadonlyMap<string, unknown>): readonly PaymentProcessor[] {
  return [...files].map(([id, found]) => readProcessor(id, found))
}

function readProcessor(id: string, found: unknown): PaymentProcessor {
  const value = typeof found === 'object' && found !== null && 'processor' in found ? found.processor : undefined
  if (!isProcessor(value))
    throw new Error(`src/billing/processors: ${id} does not export a payment processor as processor`)
  if (value.id !== id) throw new Error(`src/billing/processors: the file ${id} holds the processor ${value.id}`)
  return value
}
