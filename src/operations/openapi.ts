import { openapiContract } from '../contract/documents.ts'
import { type Operation, operation } from '../server/operation.ts'

export function openapi(document: object): Operation {
  const text = JSON.stringify(document)
  return operation(openapiContract, async ({ reply }) => {
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300')
    return text
  })
}
