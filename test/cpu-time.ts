/** The processor time of this thread that the work takes, in milliseconds: other programs on the machine do not count. */
export function cpuMs(work: () => unknown): number {
	const before = process.threadCpuUsage()
	work()
	const { user, system } = process.threadCpuUsage(before)
	return (user + system) / 1000
}
