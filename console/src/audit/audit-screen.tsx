export function AuditScreen() {
  return <h1>Audit</h1>
}
