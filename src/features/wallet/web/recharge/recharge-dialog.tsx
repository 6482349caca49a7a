import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { UserRow } from '#features/users/contract.ts'
import { isolate } from '#lib/bidi.ts'
import { RechargeForm } from './recharge-form.tsx'

interface RechargeDialogProps {
	user: UserRow | null
	opened: boolean
	onClose: () => void
	onRecharged: (user: UserRow, newBalance: number) => void
}

/** The form is mounted again at each opening, which gives the request a new idempotency key. */
export function RechargeDialog({ user, opened, onClose, onRecharged }: RechargeDialogProps) {
	const [busy, setBusy] = useState(false)
	return (
		<Modal
			opened={opened}
			onClose={busy ? () => {} : onClose}
			title={`Add Recharge: ${isolate(user?.name ?? '')}`}
			closeOnClickOutside={false}
		>
			{user && (
				<RechargeForm
					user={user}
					onBusy={setBusy}
					onCancel={onClose}
					onDone={(newBalance) => {
						onClose()
						onRecharged(user, newBalance)
					}}
				/>
			)}
		</Modal>
	)
}
