import fs from "node:fs";
import path from "node:path";
import type { ContainerEngine } from "./container-engine.ts";
import type { DebianRoots } from "./debian-root.ts";
import { report, run } from "./shell.ts";

/**
 * Parts of the official image that compose.yml relies on: POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD and the folder.
 */
const postgresEntrypoint = `#!/bin/sh
set -e
data=/var/lib/postgresql/18/docker
bin=/usr/lib/postgresql/18/bin
if [ ! -s "$data/PG_VERSION" ]; then
  mkdir -p "$data" && chown -R postgres: /var/lib/postgresql && chmod 700 "$data"
  echo "$POSTGRES_PASSWORD" > /tmp/password && chown postgres: /tmp/password
  setpriv --reuid=postgres --regid=postgres --init-groups $bin/initdb --username="$POSTGRES_USER" \\
    --pwfile=/tmp/password --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --pgdata="$data"
  rm /tmp/password
  echo "host all all all scram-sha-256" >> "$data/pg_hba.conf"
  echo "CREATE DATABASE \\"$POSTGRES_DB\\"" |
    setpriv --reuid=postgres --regid=postgres --init-groups $bin/postgres --single -D "$data" postgres
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups $bin/postgres -D "$data" \\
  -c listen_addresses='*' -c unix_socket_directories=/tmp
`;

/**
 * The images on which docker/Dockerfile and compose.yml are based, made from Debian and npm under their names. They
 * contain the same programs; the entrypoints of the official images are not proved.
 */
export function createBaseImages(
  engine: ContainerEngine,
  roots: DebianRoots,
  folder: string,
  engineRoot: string,
): void {
  const imported = (file: string, image: string, changes: readonly string[]) => {
    fs.renameSync(file, path.join(engineRoot, "image.tar"));
    engine.docker("import", ...changes.flatMap((change) => ["--change", change]), "/image.tar", image);
    fs.rmSync(path.join(engineRoot, "image.tar"));
    report(`${image} is made`);
  };

  const node = path.join(folder, "node");
  const packages = [`node-linux-${process.arch}@24`, "npm@11"];
  run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", node, ...packages]);
  const modules = path.join(node, "node_modules");
  const copyNode = [
    `cp ${path.join(modules, `node-linux-${process.arch}`, "bin/node")} "$1/usr/local/bin/node"`,
    'mkdir -p "$1/usr/local/lib/node_modules"',
    `cp -r ${path.join(modules, "npm")} "$1/usr/local/lib/node_modules/npm"`,
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
    'ln -s ../lib/node_modules/npm/bin/npx-cli.js "$1/usr/local/bin/npx"',
    // The image trusts the certificates of the machine, where connections may be signed again on the way out.
    'cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"',
    'chroot "$1" groupadd --gid 1000 node',
    'chroot "$1" useradd --uid 1000 --gid node --shell /bin/sh --create-home node',
  ];
  imported(roots.make("node.tar", "bookworm", ["ca-certificates"], copyNode), "node:24-slim", [
    "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt",
    'CMD ["node"]',
  ]);

  imported(roots.make("redis.tar", "bookworm", ["redis-server"]), "redis:7", ["WORKDIR /data", "VOLUME /data"]);

  const entrypoint = path.join(folder, "postgres-entrypoint");
  fs.writeFileSync(entrypoint, postgresEntrypoint, { mode: 0o755 });
  const copyEntrypoint = [`cp ${entrypoint} "$1/usr/local/bin/entrypoint"`, 'rm -rf "$1/var/lib/postgresql/18"'];
  imported(roots.make("postgres.tar", "forky", ["postgresql-18"], copyEntrypoint), "postgres:18", [
    "ENV PATH=/usr/lib/postgresql/18/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    'CMD ["/usr/local/bin/entrypoint"]',
  ]);
}
