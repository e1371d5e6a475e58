import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { report, run, sleep, succeeds } from "./shell.ts";

const name = `svc-${process.pid}`;
const hostSide = `svc${process.pid}`;
/** Network of RFC 2544, for tests: used by nothing else. */
const network = "198.18.0";

/**
 * A Docker engine in a Debian root, with its own mounts and its own network behind one address of RFC 2544. Closing it
 * ends its processes and removes the network; the root remains.
 */
export class ContainerEngine {
  private readonly root: string;
  private daemon: ChildProcess | undefined;
  private forwarding = "";

  constructor(root: string) {
    this.root = root;
  }

  /** A program of the root in the engine's network, against its socket. */
  docker(...args: string[]): string {
    return run("nsenter", [`--net=/run/netns/${name}`, "chroot", this.root, "docker", ...args], {
      PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: "/root",
      DOCKER_HOST: "unix:///run/docker-proof.sock",
    });
  }

  /** The command that runs a program of the machine in the engine's network. */
  inNetwork(...command: string[]): [string, string[]] {
    return ["nsenter", [`--net=/run/netns/${name}`, ...command]];
  }

  async start(): Promise<void> {
    this.connect();
    fs.copyFileSync("/etc/resolv.conf", path.join(this.root, "etc/resolv.conf"));
    const script = [
      "set -e",
      "mount --make-rprivate /",
      'mount --bind "$1" "$1"',
      'cd "$1"',
      "mkdir -p former",
      "mount --rbind /dev dev",
      "mount -t proc proc proc",
      "mount -t sysfs sys sys",
      "mount --rbind /sys/fs/cgroup sys/fs/cgroup",
      "pivot_root . former",
      "umount -l /former",
      "exec /usr/sbin/dockerd --host unix:///run/docker-proof.sock --data-root /var/lib/docker " +
        "--exec-root /run/docker-proof " +
        `--pidfile /run/docker-proof.pid --default-ulimit nofile=20000:20000 --cgroup-parent /${name}`,
    ].join("\n");
    const log = fs.openSync(path.join(this.root, "dockerd.log"), "w");
    const inside = ["sh", "-c", script, "sh", this.root];
    this.daemon = spawn("nsenter", [`--net=/run/netns/${name}`, "unshare", "--mount", ...inside], {
      stdio: ["ignore", log, log],
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" },
    });
    for (let attempt = 0; attempt < 60; attempt++) {
      if (this.daemon.exitCode !== null) break;
      if (fs.existsSync(path.join(this.root, "run/docker-proof.sock"))) {
        report(`Docker ${this.docker("version", "--format", "{{.Server.Version}}")}`);
        return;
      }
      await sleep(500);
    }
    const output = fs.readFileSync(path.join(this.root, "dockerd.log"), "utf8").split("\n").slice(-20).join("\n");
    throw new Error(`This machine cannot run a container engine:\n${output}`);
  }

  async close(): Promise<void> {
    const { daemon } = this;
    if (daemon && daemon.exitCode === null && daemon.signalCode === null) {
      const ended = new Promise((resolve) => daemon.once("close", resolve));
      daemon.kill("SIGTERM");
      await ended;
    }
    succeeds("chroot", [this.root, "nft", "delete", "table", "ip", hostSide]);
    succeeds("ip", ["link", "delete", hostSide]);
    succeeds("ip", ["netns", "delete", name]);
    // Groups of every hierarchy of version 1, or the one of version 2; a group is removed after those below it.
    for (const group of [`/sys/fs/cgroup/${name}`, ...fs.globSync(`/sys/fs/cgroup/*/${name}`)])
      succeeds("find", [group, "-depth", "-type", "d", "-exec", "rmdir", "{}", "+"]);
    if (this.forwarding !== "") fs.writeFileSync("/proc/sys/net/ipv4/ip_forward", this.forwarding);
  }

  private connect(): void {
    run("ip", ["netns", "add", name]);
    run("ip", ["link", "add", hostSide, "type", "veth", "peer", "name", "eth0", "netns", name]);
    run("ip", ["address", "add", `${network}.1/30`, "dev", hostSide]);
    run("ip", ["link", "set", hostSide, "up"]);
    for (const args of [
      "link set lo up",
      `address add ${network}.2/30 dev eth0`,
      "link set eth0 up",
      `route add default via ${network}.1`,
    ])
      run("ip", ["-netns", name, ...args.split(" ")]);
    this.forwarding = fs.readFileSync("/proc/sys/net/ipv4/ip_forward", "utf8");
    fs.writeFileSync("/proc/sys/net/ipv4/ip_forward", "1");
    const rules =
      `add table ip ${hostSide}; ` +
      `add chain ip ${hostSide} outgoing { type nat hook postrouting priority 100; }; ` +
      `add rule ip ${hostSide} outgoing ip saddr ${network}.0/30 masquerade`;
    run("chroot", [this.root, "nft", rules]);
  }
}
