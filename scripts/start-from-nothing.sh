#!/usr/bin/env bash
# Does what a new user does: runs `npm start` on an empty data directory, pastes the commands of first-admin.txt, and signs in with the new
# password. Three commands must answer 200 and the one that replaces the password 204. npm uses the Node in PATH.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
work="$(mktemp -d)"
port="${1:-4690}"
export MUSTER_DATA_DIR="$work/data" MUSTER_PORT="$port"

cd "$root"
npm start --silent >"$work/log" 2>&1 &
service=$!
trap 'kill "$service" 2>/dev/null || true; wait "$service" 2>/dev/null || true; rm -rf "$work"' EXIT

for _ in $(seq 1 600); do
  curl -sf "http://localhost:$port/readyz" >/dev/null && break
  kill -0 "$service" 2>/dev/null || { cat "$work/log"; exit 1; }
  sleep 0.1
done
curl -sf "http://localhost:$port/readyz" >/dev/null || { cat "$work/log"; echo 'not ready after a minute'; exit 1; }

# The lines as a new user pastes them, each curl followed by its status. Fills in the new password.
awk '/^TOKEN=/ { pasted = 1 } pasted' "$MUSTER_DATA_DIR/first-admin.txt" |
  sed -e 's/^curl -s/curl -s -w "\\n%{http_code}\\n"/' -e 's/"new one"/"lantern otter quilt maple"/' >"$work/curls"
bash "$work/curls" | tee "$work/answers"
[ "$(grep -c '^200$' "$work/answers")" -eq 3 ] || { cat "$work/log"; echo 'not every curl answered 200'; exit 1; }
[ "$(grep -c '^204$' "$work/answers")" -eq 1 ] || { cat "$work/log"; echo 'the password was not replaced'; exit 1; }
curl -sf -o /dev/null "http://localhost:$port/auth/sign-in" -H 'Content-Type: application/json' \
  -d '{"email":"admin@muster.local","password":"lantern otter quilt maple"}' || { echo 'the new password does not sign in'; exit 1; }
! grep -F -f <(grep '^Password:' "$MUSTER_DATA_DIR/first-admin.txt" | awk '{print $2}') "$work/log" || { echo 'the log holds the password'; exit 1; }

kill -TERM "$service"
wait "$service"
echo "started, answered and stopped on $(node --version)"
