import type { Control } from '../control.ts'
import type { NetworkState } from '../network-state.ts'
import { accountWith } from './lookup.ts'

const MAX_REFUSALS = 100

export function marketingControl(state: NetworkState): Pick<Control, 'setMarketing'> {
	return {
		async setMarketing({ waba_id, ...switches }) {
			const account = accountWith(state, waba_id)
			if ((switches.refusals?.length ?? 0) > MAX_REFUSALS) throw new Error(`At most ${MAX_REFUSALS} refusals`)
			account.marketing = { ordinary_off: false, refusals: [], ...account.marketing, ...switches }
			state.directory.saveAccount(account)
		},
	}
}
