import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { users, type UserRow } from '#features/users/contract.ts'
import { RechargeBody, wallet } from '#features/wallet/contract.ts'
import { paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { newRequestId } from '#lib/request-id.ts'
import { isolate } from '#lib/text/bidi.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { limited } from '#lib/web/limited.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { AmountField } from '#lib/web/ui/amount-field.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import { readRechargeDraft } from './recharge-draft.ts'

const QUICK_AMOUNTS = [500, 1000, 5000, 10_000]

type Recharged = Pick<UserRow, '_id' | 'name' | 'walletBalance'>

interface RechargeDialogProps {
	dialog: Pick<DialogFor<Recharged>, 'subject' | 'opened' | 'close'>
	onRecharged: (user: Recharged, newBalance: number) => void
}

export function RechargeDialog({ dialog, onRecharged }: RechargeDialogProps) {
	const { subject: user, close } = dialog
	return (
		<FormDialog dialog={dialog} title={`Add Recharge: ${isolate(user?.name ?? '')}`}>
			{user && (
				<RechargeForm
					user={user}
					onDone={(newBalance) => {
						close()
						onRecharged(user, newBalance)
					}}
				/>
			)}
		</FormDialog>
	)
}

/** Mounted anew at each opening, which creates a new idempotency key. */
function RechargeForm({ user, onDone }: { user: Recharged; onDone: (newBalance: number) => void }) {
	const [{ requestId, openedAt }] = useState(() => ({ requestId: newRequestId(), openedAt: Date.now() }))
	const state = useSchemaForm({
		draft: draftName('recharge', user),
		readDraft: readRechargeDraft,
		schema: RechargeBody,
		initialValues: { amount: '', notes: '', requestId, openedAt },
		submit: async ({ amount, notes, ...named }) => {
			const rupees = rupeesFromPaise(paiseFromRupees(amount) ?? 0)
			const body = { amount: rupees, notes, requestId: named.requestId }
			const { newBalance, message } = await call(wallet.recharge, { params: { userId: user._id }, body })
			toast.success(message)
			onDone(newBalance)
		},
		failed: (error) => {
			toast.failure(error, 'Failed to add recharge')
			// Refetches after an error too: the recharge may have succeeded although its answer was lost.
			void invalidate(users.list, wallet.recharges)
		},
	})
	const { form } = state
	return (
		<GuardedForm state={state}>
			<Balances balance={user.walletBalance} amount={form.values.amount} />
			<AmountField
				input={form.getInputProps('amount')}
				quick={QUICK_AMOUNTS}
				onChange={(typed) => form.setFieldValue('amount', typed)}
			/>
			<Textarea
				label="Notes"
				placeholder="For example how it was paid"
				{...limited(500, form.getInputProps('notes'))}
			/>
			<FormButtons>Save</FormButtons>
		</GuardedForm>
	)
}

/** Shows the current balance and, once the amount parses, the balance after the recharge. */
function Balances({ balance, amount }: { balance: number; amount: string }) {
	const paise = paiseFromRupees(amount)
	const before = paiseFromRupees(balance)
	const after = paise === null || before === null ? null : rupeesFromPaise(before + paise)
	return (
		<Facts
			className="well"
			py={12}
			px={16}
			of={{
				'Current balance': <Money rupees={balance} />,
				'New balance': <b aria-live="polite">{after === null ? '-' : <Money rupees={after} />}</b>,
			}}
		/>
	)
}
