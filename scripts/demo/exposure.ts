import { isLoopback } from '#lib/server/http/network.ts'

/**
 * Returns the reasons why the demo must not start, one for each variable: its passwords are public, and the variables expose it
 * or point it at real data. DEMO=1 confirms the intention and returns none.
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
