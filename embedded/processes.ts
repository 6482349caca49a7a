import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'

export function isAlive(pid: number) {
	try {
		process.kill(pid, 0)
		return true
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM'
	}
}

/** A pid may have gone to another program meanwhile: PostgreSQL's processes carry its name and work in its folder. */
export function isPostgresOf(data: string, pid: number) {
	if (!isAlive(pid)) return false
	if (process.platform === 'linux') return nameOf(pid) === 'postgres' && worksIn(data, pid)
	const windows = process.platform === 'win32'
	const args = windows ? ['/NH', '/FI', `PID eq ${pid}`] : ['-o', 'comm=', '-p', String(pid)]
	return spawnSync(windows ? 'tasklist' : 'ps', args, { encoding: 'utf8' }).stdout.includes('postgres')
}

/** Those that a killed postmaster left behind; only Linux lists them by folder. */
export function processesOf(data: string): number[] {
	if (process.platform !== 'linux') return []
	const pids = readdirSync('/proc').map(Number).filter(Boolean)
	return pids.filter((pid) => isPostgresOf(data, pid))
}

function nameOf(pid: number) {
	try {
		return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
	} catch {
		return undefined
	}
}

function worksIn(data: string, pid: number) {
	try {
		return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
	} catch (error) {
		// A dead process that nobody has reaped yet has no folder any more; another user's is unreadable.
		return (error as NodeJS.ErrnoException).code === 'EACCES'
	}
}
