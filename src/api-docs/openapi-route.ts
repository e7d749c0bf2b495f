import { type Operation, operation } from '../identity/operation.ts'
import { jsonType, type StaticDocument, sendDocument, staticDocument } from '../platform/http/static-document.ts'
import { openapiContract } from './contract.ts'

/** The document is made when the first reader asks for it. */
export function openapi(documentOf: () => object): Operation<typeof openapiContract> {
  let document: Promise<StaticDocument> | undefined
  return operation(openapiContract, async (input) => {
    document ??= staticDocument(JSON.stringify(documentOf()))
    return sendDocument(await document, input, { type: jsonType, cacheControl: 'public, max-age=300' })
  })
}
