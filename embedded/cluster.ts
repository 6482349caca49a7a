import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
	chownSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isAlive } from './processes.ts'
import { type Account, type Programs, commandFor } from './run-as.ts'

const run = promisify(execFile)

/** Paths of one PostgreSQL: `data` is PostgreSQL's own folder, the other files are in the same parent folder. */
export interface Cluster {
	dir: string
	data: string
	logFile: string
	portFile: string
	password: string
}

/** Returns the cluster in `dir`. Creates it on first use. */
export async function openCluster(dir: string, programs: Programs): Promise<Cluster> {
	if (!existsSync(dir)) await createCluster(dir, programs)
	if (programs.account && statSync(dir).uid !== programs.account.uid) giveTo(programs.account, dir)
	return { ...filesOf(dir), password: readPassword(dir) }
}

function filesOf(dir: string) {
	return { dir, data: join(dir, 'data'), logFile: join(dir, 'server.log'), portFile: join(dir, 'port') }
}

// Creates a cluster under a temporary name and renames it when complete. An interrupted start leaves no incomplete cluster, and
// of two simultaneous starts one wins.
async function createCluster(dir: string, programs: Programs) {
	removeAbandoned(dir)
	const fresh = `${dir}.new-${process.pid}`
	const passwordFile = join(fresh, 'password')
	mkdirSync(fresh, { mode: 0o700 })
	writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
	if (programs.account)
		for (const path of [fresh, passwordFile]) chownSync(path, programs.account.uid, programs.account.gid)
	const login = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
	// This locale sorts by code point like the C locale, and handles the upper and lower case of every script.
	const text = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
	const initdb = commandFor(programs, 'initdb', [
		`--pgdata=${join(fresh, 'data')}`,
		...login,
		...text,
		'--no-instructions',
	])
	try {
		await run(initdb.file, initdb.args, initdb.options)
		renameSync(fresh, dir)
	} catch (error) {
		rmSync(fresh, { recursive: true, force: true })
		if (!existsSync(dir)) throw new Error(`PostgreSQL could not create its files in ${dir}`, { cause: error })
	}
}

function removeAbandoned(dir: string) {
	const prefix = `${basename(dir)}.new-`
	for (const name of readdirSync(dirname(dir)).filter((entry) => entry.startsWith(prefix))) {
		if (!isAlive(Number(name.slice(prefix.length)))) rmSync(join(dirname(dir), name), { recursive: true, force: true })
	}
}

// Gives all files to the account. Files restored from a backup belong to root, and PostgreSQL could not open them.
function giveTo({ uid, gid }: Account, dir: string) {
	execFileSync('chown', ['-R', `${uid}:${gid}`, dir])
}

function readPassword(dir: string) {
	try {
		return readFileSync(join(dir, 'password'), 'utf8')
	} catch (error) {
		throw new Error(`${dir} belongs to another user or is not complete: its file "password" cannot be read.`, {
			cause: error,
		})
	}
}

export function urlOf(cluster: Cluster, port: number) {
	return `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`
}

/**
 * Returns the port of the last start if it is free, so that saved connection strings stay valid; otherwise another free port.
 */
export async function choosePort({ portFile }: Cluster) {
	const last = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0
	const port = (last && (await freePort(last))) || (await freePort(0))
	writeFileSync(portFile, String(port))
	return port
}

function freePort(wanted: number): Promise<number> {
	return new Promise((resolve) => {
		const probe = createServer()
		probe.once('error', () => resolve(0))
		probe.listen(wanted, '127.0.0.1', () => {
			const { port } = probe.address() as AddressInfo
			probe.close(() => resolve(port))
		})
	})
}
