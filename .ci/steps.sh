# What `.ci/run` and `.ci/full` share: steps, the Debian packages they need, runs of tests, and the counts at the end.
# Works as root and without a terminal.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CI=true NO_COLOR=1 DEBIAN_FRONTEND=noninteractive
exec </dev/null
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
failures=0

step() { printf '\n== %s (after %s s)\n' "$*" "$SECONDS"; }
fail() {
  printf 'FAILED: %s\n' "$*"
  failures=$((failures + 1))
}
# Ends the run where nothing else can be tried.
stop() {
  printf 'FAILED: %s\n\n0 passed, 1 failed\n' "$*"
  exit 1
}

# Installs what is missing. Each argument is a command and the Debian package that has it: caddy:caddy.
install_tools() {
  local tool missing=() policy=/usr/sbin/policy-rc.d
  for tool in "$@"; do command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  # No installed service may start: tests start their own, on their own ports.
  [ -e "$policy" ] && policy='' || printf '#!/bin/sh\nexit 101\n' | install -m 755 /dev/stdin "$policy"
  { apt-get update -q && apt-get install -yq --no-install-recommends "${missing[@]}"; } || stop "could not install ${missing[*]}"
  [ -z "$policy" ] || rm -f "$policy"
}

# Installs the dependencies, and puts the Node of the checkout first in PATH. `system_path` is the PATH without it.
install_dependencies() {
  npm ci --no-audit --no-fund || stop 'npm ci failed'
  system_path="$PATH"
  export PATH="$PWD/node_modules/.bin:$PATH"
}

# Prints a folder with the given version of Node, such as 22.19.0 or latest.
install_node() {
  local folder="$work/node-$1"
  [ -d "$folder" ] || npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --silent \
    "node-$(node -p 'process.platform + "-" + process.arch')@$1" >&2
  echo "$folder/node_modules/.bin"
}

# One step that is no test: a name and a command. It fails as well if it takes more than 20 minutes.
run_step() {
  step "$1"
  timeout --kill-after=30 20m "${@:2}" || fail "$1"
}

# One run of Vitest: a name and its arguments. Its tests count in the last line.
run_tests() {
  step "$1"
  MUSTER_TEST_COUNTS="$work/counts-$((++runs)).json" timeout --kill-after=30 30m \
    node node_modules/vitest/vitest.mjs run "${@:2}" --reporter=default --reporter=./test/support/counts-reporter.ts || fail "$1"
}
runs=0

# Prints the sum as the last line. A failed step without a failed test counts as one failure.
print_counts() {
  step 'done'
  node -e '
    const { readFileSync } = require("node:fs")
    const [failedSteps, ...paths] = process.argv.slice(1)
    const sum = { passed: 0, failed: 0, skipped: 0 }
    for (const path of paths) {
      const counts = JSON.parse(readFileSync(path, "utf8"))
      for (const name of Object.keys(sum)) sum[name] += counts[name]
    }
    sum.failed = Math.max(sum.failed, Number(failedSteps))
    console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
    process.exitCode = sum.failed === 0 ? 0 : 1
  ' "$failures" "$work"/counts-*.json || exit 1
}
