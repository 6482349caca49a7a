import { isLoopback } from '#lib/server/http/network.ts'

/**
 * Why the demo, whose passwords are public, would run where others can reach it or where real data is: one reason for each
 * variable. None with DEMO=1, by which somebody says that they mean it.
 */
export function exposureOfDemo(variables: NodeJS.ProcessEnv): string[] {
	if (variables.DEMO === '1') return []
	const reasons: string[] = []
	if (variables.DATABASE_URL) reasons.push('DATABASE_URL is set, so the demo accounts would be made in that database')
	if (variables.NODE_ENV === 'production') reasons.push('NODE_ENV is production')
	if (variables.HOST && !isLoopback(variables.HOST))
		reasons.push(`HOST is ${variables.HOST}, so other machines could sign in with the demo's public passwords`)
	return reasons
}
