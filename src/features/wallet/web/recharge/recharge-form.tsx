import { Button, Text, Textarea, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { users, type UserRow } from '#features/users/contract.ts'
import { RechargeBody, wallet } from '#features/wallet/contract.ts'
import { paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { formatCount } from '#lib/numbers.ts'
import { newRequestId } from '#lib/request-id.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { DraftNotice } from '#lib/web/ui/form/draft-notice.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { draftName } from '#lib/web/ui/state/use-draft-dialog.ts'
import { Money } from '#lib/web/ui/value/money.tsx'
import { readRechargeDraft } from './recharge-draft.ts'
import styles from './recharge-form.module.css'

const QUICK_AMOUNTS = [500, 1000, 5000, 10_000]

interface RechargeFormProps {
	user: UserRow
	onBusy: (busy: boolean) => void
	onCancel: () => void
	onDone: (newBalance: number) => void
}

export function RechargeForm({ user, onBusy, onCancel, onDone }: RechargeFormProps) {
	const [{ requestId, openedAt }] = useState(() => ({ requestId: newRequestId(), openedAt: Date.now() }))
	const { form, busy, draft, onSubmit } = useSchemaForm({
		draft: draftName('recharge', user),
		readDraft: readRechargeDraft,
		schema: RechargeBody,
		initialValues: { amount: '', notes: '', requestId, openedAt },
		submit: async ({ amount, notes, ...named }) => {
			const body = { amount, notes, requestId: named.requestId }
			const { newBalance, message } = await call(wallet.recharge, { params: { userId: user._id }, body })
			toast.success(message)
			onDone(newBalance)
		},
		failed: (error) => {
			toast.failure(error, 'Failed to add recharge')
			// It may have been added all the same: a lost answer is not a failure.
			void invalidate(users.list, wallet.recharges, wallet.statement)
		},
	})
	useEffect(() => onBusy(busy), [busy, onBusy])
	return (
		<form className="stack" onSubmit={onSubmit} noValidate>
			<LeaveGuard dirty={form.isDirty() && !busy} />
			<DraftNotice draft={draft} />
			<Balances balance={user.walletBalance} amount={form.values.amount} />
			<div className={styles.amount}>
				<TextInput
					{...form.getInputProps('amount')}
					label="Amount"
					inputMode="decimal"
					autoComplete="off"
					placeholder="0.00"
					leftSection="₹"
					required
					data-autofocus
					onChange={(event) => form.setFieldValue('amount', withoutSeparators(event.currentTarget.value))}
				/>
				<div className={styles.quick} role="group" aria-label="Quick amounts">
					{QUICK_AMOUNTS.map((amount) => (
						<Button
							key={amount}
							variant="default"
							size="xs"
							px={4}
							onClick={() => form.setFieldValue('amount', String(amount))}
						>
							₹{formatCount(amount)}
						</Button>
					))}
				</div>
			</div>
			<Textarea
				label="Notes"
				placeholder="For example how it was paid"
				maxLength={500}
				{...form.getInputProps('notes')}
			/>
			<FormButtons save="Save" busy={busy} onCancel={onCancel} />
		</form>
	)
}

/** What is in the wallet now, and what will be as soon as the amount can be read. */
function Balances({ balance, amount }: { balance: number; amount: string }) {
	const paise = paiseFromRupees(amount)
	const before = paiseFromRupees(balance)
	const after = paise === null || before === null ? null : rupeesFromPaise(before + paise)
	return (
		<dl className={styles.balances}>
			<div>
				<dt>Current balance</dt>
				<dd>
					<Money rupees={balance} />
				</dd>
			</div>
			<div data-new>
				<dt>New balance</dt>
				<dd aria-live="polite">{after === null ? <Text span>-</Text> : <Money rupees={after} />}</dd>
			</div>
		</dl>
	)
}

/** Amounts are often pasted as ₹1,00,000.50. */
function withoutSeparators(typed: string): string {
	return typed.replace(/[₹,\s]/g, '')
}
