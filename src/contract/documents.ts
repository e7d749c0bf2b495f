import Type from 'typebox'
import type { OperationContract } from './operation.ts'

export const openapiContract = {
  id: 'getOpenapiDocument',
  method: 'GET',
  path: '/openapi.json',
  tag: 'Operation',
  summary: 'This document',
  description: 'The contract of the service as OpenAPI 3.1.',
  access: 'public',
  answers: {
    200: {
      description: 'OpenAPI 3.1',
      content: {
        'application/json': {
          schema: Type.Object({ openapi: Type.String() }, { $id: 'OpenapiDocument' }),
          examples: { start: { summary: 'Its first member', value: { openapi: '3.1.0' } } },
        },
      },
    },
  },
  problems: [],
} as const satisfies OperationContract

export const problemsPageContract = {
  id: 'getProblemsPage',
  method: 'GET',
  path: '/docs/problems.md',
  tag: 'Operation',
  summary: 'What each problem means',
  description: 'The page to which the member `type` of a problem links.',
  access: 'public',
  answers: {
    200: {
      description: 'Markdown',
      content: {
        'text/markdown': {
          schema: Type.String(),
          examples: { start: { summary: 'Its first line', value: '# Problems\n' } },
        },
      },
    },
  },
  problems: [],
} as const satisfies OperationContract
