import { useState } from 'react'
import { CreateUser } from '#features/users/web/manage/create-user.tsx'
import type { Created } from '#features/users/web/manage/created-user.tsx'
import { RechargeDialog } from '#features/wallet/web/recharge/recharge-dialog.tsx'
import { CredentialsDialog } from '#features/whatsapp/web/credentials-dialog.tsx'
import { useDraftDialog } from '#lib/web/ui/state/use-draft-dialog.ts'

type User = Created['user']

/** Renders the form for a new account, and dialogs of other features for its credentials and money. */
export function CreateUserScreen() {
	const key = useDraftDialog<User>('credentials')
	const recharge = useDraftDialog<User>('recharge')
	const [balances, setBalances] = useState<Record<string, number>>({})
	return (
		<>
			<CreateUser
				onManageKey={key.open}
				onRecharge={(user) => recharge.open({ ...user, walletBalance: balances[user._id] ?? user.walletBalance })}
			/>
			<CredentialsDialog dialog={key} />
			<RechargeDialog
				dialog={recharge}
				onRecharged={({ _id }, balance) => setBalances((old) => ({ ...old, [_id]: balance }))}
			/>
		</>
	)
}
