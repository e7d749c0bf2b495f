import { jsonText, type Operation, operation } from '../identity/operation.ts'
import { openapiContract } from './contract.ts'

/** The document is made when the first reader asks for it. */
export function openapi(documentOf: () => object): Operation<typeof openapiContract> {
  let text: string | undefined
  return operation(openapiContract, async ({ reply }) => {
    reply.header('cache-control', 'public, max-age=300')
    text ??= JSON.stringify(documentOf())
    return jsonText(reply, text)
  })
}
