import { refunds, type RefundToCheck } from '#features/statements/refund-contract.ts'
import { formatRupees } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

export interface Decided {
	refund: RefundToCheck
	decision: 'approve' | 'refuse'
}

/** Asks for confirmation before a refund is approved or refused, since neither can be undone. */
export function DecisionDialog({ dialog }: { dialog: DialogFor<Decided> }) {
	const { subject: decided, close } = dialog
	const decide = async () => {
		if (!decided) return
		const { message } = await call(refunds.decideRefund, requestOf(decided))
		toast.success(message)
		close()
		void invalidate(refunds.refundsToCheck)
	}
	const isApproval = decided?.decision === 'approve'
	return (
		<ConfirmDialog
			dialog={dialog}
			title={isApproval ? 'Approve refund' : 'Refuse refund'}
			confirm={isApproval ? 'Approve' : 'Refuse'}
			busyText={isApproval ? 'Approving...' : 'Refusing...'}
			danger={!isApproval}
			onConfirm={decide}
			failed={(error) => {
				toast.failure(error, 'Failed to save the decision')
				close()
				void invalidate(refunds.refundsToCheck)
			}}
		>
			{decided && <Question {...decided} />}
		</ConfirmDialog>
	)
}

function Question({ refund: { amount, messages, name }, decision }: Decided) {
	return decision === 'approve' ? (
		<>
			{formatRupees(amount)} for {plural(messages, 'message')} goes back to the wallet of{' '}
			<b>
				<UserText text={name} />
			</b>
			. This cannot be undone.
		</>
	) : (
		<>
			<b>
				<UserText text={name} />
			</b>{' '}
			gets no refund for {plural(messages, 'message')}: {formatRupees(amount)} stays charged, and they are notified.
			This cannot be undone.
		</>
	)
}

function requestOf({ refund, decision }: Decided) {
	const { userId, campaign, price, reason, messages, decisions } = refund
	return {
		params: { userId },
		body: { decision, campaignId: campaign?._id ?? null, price, reason, messages, decisions },
	}
}
