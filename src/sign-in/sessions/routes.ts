import { type Operation, operation } from '../../identity/operation.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { clientOf } from './client.ts'
import {
  chooseOrganizationContract,
  endSessionContract,
  listDevicesContract,
  listSessionsContract,
  removeDeviceContract,
  signOutEverywhereContract,
} from './contract.ts'
import { chooseOrganization } from './current-organization.ts'
import { listDevices, removeDevice } from './devices.ts'
import { endSession, listSessions, signOutEverywhere } from './sessions.ts'

export function listSessionsRoute(issuer: BuiltInIssuer): Operation<typeof listSessionsContract> {
  return operation(listSessionsContract, async ({ caller }) => ({ sessions: await listSessions(issuer, caller) }))
}

export function endSessionRoute(issuer: BuiltInIssuer): Operation<typeof endSessionContract> {
  return operation(endSessionContract, async ({ caller, params, request }) =>
    endSession(issuer, caller, params.sessionId, clientOf(request)),
  )
}

export function signOutEverywhereRoute(issuer: BuiltInIssuer): Operation<typeof signOutEverywhereContract> {
  return operation(signOutEverywhereContract, async ({ caller, request }) =>
    signOutEverywhere(issuer, caller, clientOf(request)),
  )
}

export function chooseOrganizationRoute(issuer: BuiltInIssuer): Operation<typeof chooseOrganizationContract> {
  return operation(chooseOrganizationContract, async ({ caller, body }) =>
    chooseOrganization(issuer, caller, body.orgId),
  )
}

export function listDevicesRoute(issuer: BuiltInIssuer): Operation<typeof listDevicesContract> {
  return operation(listDevicesContract, async ({ caller }) => ({ devices: await listDevices(issuer, caller) }))
}

export function removeDeviceRoute(issuer: BuiltInIssuer): Operation<typeof removeDeviceContract> {
  return operation(removeDeviceContract, async ({ caller, params, request }) =>
    removeDevice(issuer, caller, params.deviceId, clientOf(request)),
  )
}
