#!/usr/bin/env bash
# Creates the secrets for compose.yaml in ./secrets if they do not exist yet. Keep a copy of encryption-key in another place: without it the
# database is useless.
set -euo pipefail
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
cd secrets
# make <file> <command that prints its content>
make() { [ -e "$1" ] || "${@:2}" >"$1"; }
make database-password openssl rand -hex 24
make database-url printf 'postgres://muster:%s@postgres/muster' "$(cat database-password)"
make encryption-key openssl rand -base64 32
make first-admin-password openssl rand -hex 16
make metrics-token openssl rand -hex 24
# The containers read them as other users; on this machine only the owner of the folder can open it.
chmod 0444 ./*
