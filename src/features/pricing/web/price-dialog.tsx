import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { Reply } from '#lib/web/api.ts'
import { queryClient } from '#lib/web/query.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { pricing, type PricedUser } from '../contract.ts'
import { PriceForm } from './price-form.tsx'

interface PriceDialogProps {
	user: PricedUser | null
	opened: boolean
	onClose: () => void
	/** With the id of the user whose row has new prices. */
	onSaved: (userId: string) => void
}

export function PriceDialog({ user, opened, onClose, onSaved }: PriceDialogProps) {
	const [busy, setBusy] = useState(false)
	return (
		<Modal
			opened={opened}
			onClose={busy ? () => {} : onClose}
			title={user && <UserText text={user.name} />}
			closeOnClickOutside={false}
		>
			{user && (
				<PriceForm
					user={user}
					onBusy={setBusy}
					onCancel={onClose}
					onDone={(prices) => {
						replacePrices(user._id, prices)
						onClose()
						onSaved(user._id)
					}}
				/>
			)}
		</Modal>
	)
}

/** Puts what the server has just confirmed into the rows on screen, without fetching them anew. */
function replacePrices(userId: string, prices: Pick<PricedUser, 'marketingPrice' | 'utilityPrice'>): void {
	queryClient.setQueriesData<Reply<typeof pricing.list>>(
		{ queryKey: [pricing.list.path] },
		(list) =>
			list && { ...list, users: list.users.map((user) => (user._id === userId ? { ...user, ...prices } : user)) },
	)
}
