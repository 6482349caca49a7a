import type { Control } from '../control.ts'
import type { NetworkState } from '../network-state.ts'
import { accountWith } from './lookup.ts'

const HOUR_MS = 3_600_000

/** Returns the control calls for the limit of people whom a portfolio may reach in 24 hours. */
export function limitControl(state: NetworkState): Pick<Control, 'enforceLimit' | 'passHours' | 'limitStats'> {
	const { portfolioDays } = state
	const portfolioOf = (waba_id: string) => accountWith(state, waba_id).portfolio_id
	return {
		async enforceLimit({ waba_id, people }) {
			portfolioDays.enforce(portfolioOf(waba_id), people)
		},
		async passHours({ hours }) {
			portfolioDays.pass(hours * HOUR_MS)
		},
		async limitStats({ waba_id }) {
			return portfolioDays.stats(portfolioOf(waba_id))
		},
	}
}
