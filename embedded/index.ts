export {
  type DailyBackupState,
  type DailyBackups,
  lastDailyBackup,
  openDailyBackups,
  scheduleDailyBackups,
} from './daily-backups.ts'
export { layoutOf } from './directory.ts'
export { EmbeddedError } from './error.ts'
export { livePostmaster } from './postmaster.ts'
export { type EmbeddedMode, type EmbeddedServer, startEmbedded } from './server.ts'
