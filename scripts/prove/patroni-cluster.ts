import { randomBytes } from "node:crypto";
import { freePort } from "@svc/local-stores";
import { eventually } from "@svc/testkit";
import type { Server, ServerRoot } from "./server-root.ts";

const ttlSeconds = 20;
const password = randomBytes(12).toString("hex");

interface Member {
  readonly name: string;
  readonly postgresPort: number;
  readonly apiPort: number;
  server: Server;
}

const patroniYaml = (name: string, postgresPort: number, apiPort: number, etcdPort: number): string => `scope: svc
name: ${name}
restapi: { listen: "127.0.0.1:${apiPort}", connect_address: "127.0.0.1:${apiPort}" }
etcd3: { host: "127.0.0.1:${etcdPort}" }
bootstrap:
  dcs:
    ttl: ${ttlSeconds}
    loop_wait: 2
    retry_timeout: 5
    maximum_lag_on_failover: 1048576
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        { max_connections: 100, shared_buffers: 64MB, wal_log_hints: "on", fsync: "on", checkpoint_timeout: 30s }
  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }, data-checksums]
postgresql:
  listen: "127.0.0.1:${postgresPort}"
  connect_address: "127.0.0.1:${postgresPort}"
  data_dir: /srv/${name}/data
  bin_dir: /usr/lib/postgresql/18/bin
  pgpass: /srv/${name}/pgpass
  authentication:
    superuser: { username: postgres, password: ${password} }
    replication: { username: replicator, password: ${password} }
    rewind: { username: rewinder, password: ${password} }
  parameters: { unix_socket_directories: /srv/${name} }
  pg_hba:
    - host all all 127.0.0.1/32 scram-sha-256
    - host replication replicator 127.0.0.1/32 scram-sha-256
`;

const haproxyServer = ({ name, postgresPort, apiPort }: Member): string =>
  `  server ${name} 127.0.0.1:${postgresPort} check port ${apiPort}`;

const haproxyConfiguration = (primaryPort: number, replicasPort: number, members: readonly Member[]): string => `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
  option httpchk
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
listen primary
  bind 127.0.0.1:${primaryPort}
  option httpchk GET /primary
${members.map(haproxyServer).join("\n")}
listen replicas
  bind 127.0.0.1:${replicasPort}
  balance leastconn
  option httpchk GET /replica?lag=16MB
${members.map(haproxyServer).join("\n")}
`;

const pgbouncerConfiguration = (port: number, primaryPort: number): string => `[databases]
svc = host=127.0.0.1 port=${primaryPort} dbname=svc
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = /srv/pgbouncer/users.txt
pool_mode = transaction
max_prepared_statements = 500
default_pool_size = 20
max_client_conn = 500
server_login_retry = 1
server_connect_timeout = 3
query_wait_timeout = 15
`;

/**
 * Three members of Patroni with synchronous replication, HAProxy on `/primary` and on `/replica`, and PgBouncer in
 * transaction mode.
 */
export class PatroniCluster {
  /** URL for the services: of PgBouncer. */
  readonly pooledUrl: string;
  /** HAProxy. */
  readonly directUrl: string;
  /** HAProxy, to the standbys. */
  readonly readUrl: string;
  /** HAProxy, as the administrator. */
  readonly superuserUrl: string;
  /** HAProxy, as the user of the replication. */
  readonly replicationUrl: string;
  private readonly servers: ServerRoot;
  private readonly members: Member[];

  private constructor(
    servers: ServerRoot,
    members: Member[],
    { primaryPort, replicasPort, poolerPort }: Record<"primaryPort" | "replicasPort" | "poolerPort", number>,
  ) {
    this.servers = servers;
    this.members = members;
    this.pooledUrl = this.databaseAt(poolerPort);
    this.directUrl = this.databaseAt(primaryPort);
    this.readUrl = this.databaseAt(replicasPort);
    this.replicationUrl = `postgresql://replicator:${password}@127.0.0.1:${primaryPort}/`;
    this.superuserUrl = `postgresql://postgres:${password}@127.0.0.1:${primaryPort}/postgres`;
  }

  static async start(servers: ServerRoot): Promise<PatroniCluster> {
    const [etcdPort, peerPort] = [await freePort(), await freePort()];
    const ports = { primaryPort: await freePort(), replicasPort: await freePort(), poolerPort: await freePort() };
    servers.makeFolder("srv/etcd", "postgres");
    const address = `http://127.0.0.1:${etcdPort}`;
    const peer = `http://127.0.0.1:${peerPort}`;
    servers.start("etcd", "postgres", [
      "etcd",
      "--data-dir",
      "/srv/etcd/data",
      "--listen-client-urls",
      address,
      "--advertise-client-urls",
      address,
      "--listen-peer-urls",
      peer,
      "--initial-advertise-peer-urls",
      peer,
      "--initial-cluster",
      `default=${peer}`,
    ]);
    await eventually("etcd is healthy", async () => (await fetch(`${address}/health`)).ok);

    const members: Member[] = [];
    for (const name of ["one", "two", "three"]) {
      const [postgresPort, apiPort] = [await freePort(), await freePort()];
      servers.write(`srv/${name}/patroni.yml`, patroniYaml(name, postgresPort, apiPort, etcdPort), "postgres");
      members.push({ name, postgresPort, apiPort, server: startMember(servers, name) });
    }
    const cluster = new PatroniCluster(servers, members, ports);
    await cluster.whole(90_000);

    servers.write(
      "srv/haproxy/haproxy.cfg",
      haproxyConfiguration(ports.primaryPort, ports.replicasPort, members),
      "haproxy",
    );
    servers.start("haproxy", "haproxy", ["haproxy", "-db", "-f", "/srv/haproxy/haproxy.cfg"]);
    servers.write("srv/pgbouncer/users.txt", `"svc" "${password}"\n`, "postgres");
    servers.write(
      "srv/pgbouncer/pgbouncer.ini",
      pgbouncerConfiguration(ports.poolerPort, ports.primaryPort),
      "postgres",
    );
    servers.start("pgbouncer", "postgres", ["pgbouncer", "/srv/pgbouncer/pgbouncer.ini"]);
    return cluster;
  }

  /** The services' database at another port: that of a pooler, a balancer, or a copy of a member. */
  databaseAt(port: number): string {
    return `postgresql://svc:${password}@127.0.0.1:${port}/svc`;
  }

  /** Statements that create the user and the database of the services. */
  get setup(): readonly string[] {
    return [`CREATE ROLE svc LOGIN CREATEROLE PASSWORD '${password}'`, "CREATE DATABASE svc OWNER svc"];
  }

  /** Kills PostgreSQL and Patroni of the present leader. @returns its name, and what starts it again. */
  async killLeader(): Promise<{ readonly name: string; restart(): void }> {
    const name = await this.leader();
    const member = this.members.find((one) => one.name === name) as Member;
    await member.server.kill();
    return {
      name,
      restart: () => {
        member.server = startMember(this.servers, name);
      },
    };
  }

  async leader(): Promise<string> {
    const found = (await this.states()).find(({ role }) => role === "leader");
    if (!found) throw new Error("The cluster has no leader.");
    return found.name;
  }

  /** Resolves when all members run, one of them as the synchronous standby. */
  async whole(timeoutMs: number): Promise<void> {
    await eventually(
      "Patroni has a leader, a synchronous standby and a replica",
      async () => {
        const states = await this.states();
        const followers = states.filter(({ role, state }) => role !== "leader" && state === "streaming");
        return followers.length === 2 && states.some(({ role }) => role === "sync_standby");
      },
      timeoutMs,
    ).catch((error: Error) => {
      const logs = this.members.map(({ name }) => `${name}:\n${this.servers.log(name)}`);
      throw new Error(`${error.message}\n${logs.join("\n")}`);
    });
  }

  private async states(): Promise<readonly { readonly name: string; readonly role: string; readonly state: string }[]> {
    for (const { apiPort, server } of this.members) {
      if (!server.isRunning()) continue;
      const response = await fetch(`http://127.0.0.1:${apiPort}/cluster`).catch(() => undefined);
      if (response?.ok) return ((await response.json()) as { members: [] }).members;
    }
    throw new Error("No member of Patroni responds.");
  }
}

const startMember = (servers: ServerRoot, name: string): Server =>
  servers.start(name, "postgres", ["patroni", `/srv/${name}/patroni.yml`]);
