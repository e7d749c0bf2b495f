import { ibmInstanceCrn } from '../simulator/ibmcloud.ts'
import type { Recording } from '../simulator/recording.ts'

const members = 'IBM/platform-services-go-sdk resourcecontrollerv2/resource_controller_v2.go @635a408 (the members)'
const database = { crn: 'crn:v1:bluemix:public:cloudantnosqldb:us-south:a/0123456789abcdef0123456789abcdef:1::' }

export const recording: Recording = {
  id: 'ibmcloud',
  keyType: 'api_key',
  call: {
    method: 'GET',
    path: '/@resources/v2/resource_instances?limit=20',
    headers: { authorization: 'Bearer eyJ.{token}' },
  },
  asks: {},
  answers: [
    {
      name: 'valid',
      source: members,
      isFollowed: true,
      status: 200,
      body: { rows_count: 2, next_url: null, resources: [database, { crn: ibmInstanceCrn }] },
    },
    {
      name: 'refused-zones',
      source: members,
      isFollowed: true,
      status: 200,
      body: { rows_count: 1, next_url: null, resources: [{ crn: ibmInstanceCrn }] },
    },
    {
      name: 'more-instances',
      source: members,
      isFollowed: true,
      status: 200,
      body: {
        rows_count: 1,
        next_url: '/v2/resource_instances?next_docid=1&limit=20',
        resources: [{ crn: ibmInstanceCrn }],
      },
    },
    {
      name: 'no-instance',
      source: `${members}, with no instance of Internet Services`,
      status: 200,
      body: { rows_count: 1, next_url: null, resources: [database] },
      verdict: { isValid: true, code: 'capabilities_unknown' },
    },
    { name: 'refused-instances', madeUp: 'no source shows a refusal', status: 403, body: { message: 'Forbidden' } },
  ],
}
