import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/**
 * The first process of a namespace of its own: mounts what servers need and runs one. When this process dies, by
 * whatever signal, the kernel kills all others of the namespace. It stays root, because a change of the user would
 * cancel that it dies with its parent.
 */
const enter = [
  "set -e",
  'mount --rbind /dev "$1/dev"',
  'mount -t tmpfs tmpfs "$1/dev/shm"',
  'mount -t proc proc "$1/proc"',
  'root="$1" user="$2"',
  "shift 2",
  'chroot "$root" setpriv --reuid="$user" --regid="$user" --init-groups "$@" || exit $?',
  "exit 0",
].join("\n");

/** A server in a Debian root. */
export interface Server {
  readonly name: string;
  /** Kills it with all that it started, as `kill -9` does. */
  kill(): Promise<void>;
  isRunning(): boolean;
}

/** Starts servers in a Debian root on the machine's network. They end when this process ends, also by SIGKILL. */
export class ServerRoot {
  readonly root: string;
  private readonly children = new Set<ChildProcess>();

  constructor(root: string) {
    this.root = root;
    // The folder is created before the mounts of a server, which it sees alone.
    fs.mkdirSync(path.join(root, "srv/log"), { recursive: true });
    fs.mkdirSync(path.join(root, "dev/shm"), { recursive: true });
  }

  /** A file of the root that this user alone may read. */
  write(file: string, text: string, user: string): void {
    const target = path.join(this.root, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text, { mode: 0o600 });
    const { uid, gid } = this.userOf(user);
    for (const changed of [target, path.dirname(target)]) fs.chownSync(changed, uid, gid);
  }

  /** An empty folder of the root for this user alone. */
  makeFolder(folder: string, user: string): void {
    const target = path.join(this.root, folder);
    fs.mkdirSync(target, { recursive: true, mode: 0o700 });
    const { uid, gid } = this.userOf(user);
    fs.chownSync(target, uid, gid);
  }

  start(name: string, user: string, command: readonly string[]): Server {
    const log = fs.openSync(this.logOf(name), "a");
    const namespaces = ["--mount", "--pid", "--ipc", "--fork", "--kill-child=KILL"];
    const child = spawn(
      "setpriv",
      ["--pdeathsig", "KILL", "unshare", ...namespaces, "sh", "-c", enter, "sh", this.root, user, ...command],
      {
        stdio: ["ignore", log, log],
        env: { PATH: "/usr/lib/postgresql/18/bin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8" },
        // Ctrl-C in the terminal reaches this process alone, which then ends the servers in order.
        detached: true,
      },
    );
    fs.closeSync(log);
    this.children.add(child);
    const ended = new Promise<void>((resolve) => {
      child.once("error", () => resolve());
      child.once("exit", () => resolve());
    }).then(() => void this.children.delete(child));
    return {
      name,
      async kill() {
        child.kill("SIGKILL");
        await ended;
      },
      isRunning: () => this.children.has(child),
    };
  }

  /** The last lines that a server wrote. */
  log(name: string): string {
    return fs.readFileSync(this.logOf(name), "utf8").split("\n").slice(-25).join("\n");
  }

  async close(): Promise<void> {
    const ended = [...this.children].map((child) => new Promise((resolve) => child.once("exit", resolve)));
    for (const child of this.children) child.kill("SIGKILL");
    await Promise.all(ended);
  }

  private readonly logOf = (name: string): string => path.join(this.root, "srv/log", `${name}.log`);

  private userOf(user: string): { uid: number; gid: number } {
    const lines = fs.readFileSync(path.join(this.root, "etc/passwd"), "utf8").split("\n");
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${user}:`))?.split(":") ?? [];
    if (uid === undefined || gid === undefined) throw new Error(`The Debian root has no user ${user}.`);
    return { uid: Number(uid), gid: Number(gid) };
  }
}
