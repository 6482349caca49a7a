import type { Account } from '#simulator/state/accounts.ts'
import type { Call } from '../call.ts'
import { invalidParam } from '../errors.ts'
import { shown } from '../json.ts'
import { paramsOf } from '../params.ts'

/** Changes settings of an account: `disable_marketing_messages_on_cloud_api`. */
export function updateAccount(account: Account, call: Call): unknown {
	const value = paramsOf(call)['disable_marketing_messages_on_cloud_api']
	if (value === undefined) throw invalidParam('The parameter disable_marketing_messages_on_cloud_api is required.')
	if (!['true', 'false'].includes(shown(value)))
		throw invalidParam('Param disable_marketing_messages_on_cloud_api must be a boolean.')
	account.marketing = { refusals: [], ...account.marketing, ordinary_off: shown(value) === 'true' }
	call.state.directory.saveAccount(account)
	return { success: true }
}
