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

/**
 * Returns true if the process is a PostgreSQL of this data folder. Checks its name and folder, because the pid may have been
 * reused by another program.
 */
export function isPostgresOf(data: string, pid: number) {
	if (!isAlive(pid)) return false
	if (process.platform === 'linux') return nameOf(pid) === 'postgres' && worksIn(data, pid)
	const windows = process.platform === 'win32'
	const args = windows ? ['/NH', '/FI', `PID eq ${pid}`] : ['-o', 'comm=', '-p', String(pid)]
	return spawnSync(windows ? 'tasklist' : 'ps', args, { encoding: 'utf8' }).stdout.includes('postgres')
}

/** Returns the pids of the PostgreSQL processes that work in the folder; always empty except on Linux. */
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
		// A zombie process has no folder any more (ENOENT); the folder of another user's process is unreadable (EACCES).
		return (error as NodeJS.ErrnoException).code === 'EACCES'
	}
}
