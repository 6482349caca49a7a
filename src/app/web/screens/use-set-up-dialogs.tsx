import { refreshSetUps } from '#features/dashboards/web/set-up/set-up-query.ts'
import type { Customer, SetUpActions } from '#features/dashboards/web/set-up/set-up-steps.tsx'
import { replaceBalance } from '#features/users/web/parts.tsx'
import { wallet } from '#features/wallet/contract.ts'
import { invalidate } from '#lib/web/query.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'

const CredentialsDialog = latePart(() =>
	import('#features/whatsapp/web/credentials-dialog.tsx').then((module) => module.CredentialsDialog),
)
const PriceDialog = latePart(() =>
	import('#features/pricing/web/price-dialog.tsx').then((module) => module.PriceDialog),
)
const RechargeDialog = latePart(() =>
	import('#features/wallet/web/recharge/recharge-dialog.tsx').then((module) => module.RechargeDialog),
)

type Named = Pick<Customer, '_id' | 'name'>

const refresh = () => void refreshSetUps()

/**
 * Returns the dialogs that set up a customer, which belong to several features, and the callbacks that open them. Each
 * saved dialog reads the set-ups on screen again.
 */
export function useSetUpDialogs() {
	const key = useDraftDialog<Named>('credentials')
	const prices = useDraftDialog<Named & { marketingPrice: number; utilityPrice: number }>('prices')
	const recharge = useDraftDialog<Named & { walletBalance: number }>('recharge')
	const actions: SetUpActions = {
		onManageKey: ({ _id, name }) => key.open({ _id, name }),
		onPrices: ({ _id, name, marketingPrice, utilityPrice }) => prices.open({ _id, name, marketingPrice, utilityPrice }),
		onRecharge: ({ _id, name, walletBalance }) => recharge.open({ _id, name, walletBalance }),
	}
	return {
		actions,
		openKey: key.open,
		isOpen: key.opened || prices.opened || recharge.opened,
		dialogs: (
			<>
				<CredentialsDialog dialog={key} onSaved={refresh} />
				<PriceDialog dialog={prices} onSaved={refresh} />
				<RechargeDialog
					dialog={recharge}
					onRecharged={({ _id }, balance) => {
						replaceBalance(_id, balance)
						void invalidate(wallet.recharges)
						refresh()
					}}
				/>
			</>
		),
	}
}
