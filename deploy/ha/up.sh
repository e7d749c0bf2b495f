#!/bin/sh
# Starts three PostgreSQL servers under Patroni and etcd, HAProxy and two nodes of Muster on this machine, in a temporary directory:
# docs/scaling.md. Needs a checkout after `npm ci`, and Debian's packages patroni, etcd-server, postgresql and haproxy. Ctrl-C stops and
# removes everything.
set -eu
cd "$(dirname "$0")/../.."
exec node scripts/ha.ts
