import { type Operation, operation } from '../identity/operation.ts'
import { jsonType, sendDocument, staticDocument } from '../platform/http/static-document.ts'
import { openapiContract } from './contract.ts'

/** Builds the document on the first request. */
export function openapi(documentOf: () => object): Operation<typeof openapiContract> {
  const document = staticDocument(() => JSON.stringify(documentOf()))
  return operation(openapiContract, (input) =>
    sendDocument(document, input, { type: jsonType, cacheControl: 'public, max-age=300' }),
  )
}
