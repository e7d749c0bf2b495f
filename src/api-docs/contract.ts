import Type from 'typebox'
import { json, type OperationContract, textContent } from '../platform/http/contract.ts'

const unchanged = { description: 'The reader’s copy is the present one.' } as const

export const openapiContract = {
  id: 'getOpenapiDocument',
  method: 'GET',
  path: '/openapi.json',
  tag: 'Operation',
  summary: 'This document',
  description: 'The contract of the service as OpenAPI 3.1.',
  permission: 'public',
  answers: {
    200: json('OpenAPI 3.1', Type.Object({ openapi: Type.String() }, { $id: 'OpenapiDocument' }), { openapi: '3.1.0' }),
    304: unchanged,
  },
} as const satisfies OperationContract

export const problemsPageContract = {
  id: 'getProblemsPage',
  method: 'GET',
  path: '/docs/problems.md',
  tag: 'Operation',
  summary: 'What each problem means',
  description: 'The page to which the member `type` of a problem links.',
  permission: 'public',
  answers: {
    200: {
      description: 'Markdown',
      content: textContent('text/markdown', '# Problems\n'),
    },
    303: {
      description: 'To a browser: the same page of the guide. A browser keeps the part of the address behind `#`.',
      headers: { Location: { description: 'A path of this service.', schema: Type.String() } },
    },
    304: unchanged,
  },
} as const satisfies OperationContract

export const docsPageContract = {
  id: 'getDocsPage',
  method: 'GET',
  path: '/docs',
  tag: 'Operation',
  summary: 'The contract to read and try',
  description: 'A page that shows this document. It loads resources of this service only.',
  permission: 'public',
  answers: {
    200: {
      description: 'HTML',
      content: textContent('text/html', '<!doctype html>\n'),
    },
  },
} as const satisfies OperationContract

export const docsScriptContract = {
  id: 'getDocsScript',
  method: 'GET',
  path: '/docs/reference.js',
  tag: 'Operation',
  summary: 'The script of the page /docs',
  description: 'Swagger UI (Apache-2.0), which it starts on this document.',
  permission: 'public',
  answers: {
    200: {
      description: 'JavaScript',
      content: textContent('text/javascript', '(function('),
    },
    304: unchanged,
  },
} as const satisfies OperationContract

export const docsStyleContract = {
  id: 'getDocsStyle',
  method: 'GET',
  path: '/docs/reference.css',
  tag: 'Operation',
  summary: 'The style sheet of the page /docs',
  description: 'That of Swagger UI (Apache-2.0).',
  permission: 'public',
  answers: {
    200: {
      description: 'CSS',
      content: textContent('text/css', '.swagger-ui {}'),
    },
    304: unchanged,
  },
} as const satisfies OperationContract
