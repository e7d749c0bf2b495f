import { type Operation, operation } from '../../identity/operation.ts'
import { listDevicesContract, removeDeviceContract } from '../contract/devices.ts'
import { listDevices, removeDevice } from '../guessing/devices.ts'
import type { BuiltInIssuer } from '../issuer.ts'
import { clientOf } from '../sessions/client.ts'

export function listDevicesRoute(issuer: BuiltInIssuer): Operation<typeof listDevicesContract> {
  return operation(listDevicesContract, async ({ caller }) => ({ devices: await listDevices(issuer, caller) }))
}

export function removeDeviceRoute(issuer: BuiltInIssuer): Operation<typeof removeDeviceContract> {
  return operation(removeDeviceContract, async ({ caller, params, request }) =>
    removeDevice(issuer, caller, params.deviceId, clientOf(request)),
  )
}
