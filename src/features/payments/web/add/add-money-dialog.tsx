import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { BackPath, payments } from '#features/payments/contract.ts'
import { paymentPath } from '#features/payments/paths.ts'
import { formatRupees, paiseFromRupees, rupeesFromPaise } from '#lib/money.ts'
import { newRequestId } from '#lib/request-id.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { AmountField } from '#lib/web/ui/amount-field.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { leaveTo } from '#lib/web/ui/state/leave-to.ts'
import { closeAddMoney, useAddMoney, type AddMoneyRequest } from './add-money.ts'
import { amountProblem, firstAmount, partsOf, type PaymentOptions } from './amounts.ts'

/** Renders the dialog that asks for an amount and opens the provider's payment page. */
export function AddMoneyDialog() {
	const { request, opened } = useAddMoney()
	return (
		<FormDialog dialog={{ opened, close: closeAddMoney }} title="Add money" size={440}>
			{request && <AddMoney request={request} />}
		</FormDialog>
	)
}

function AddMoney({ request }: { request: AddMoneyRequest }) {
	// The owed money may have changed since the last opening.
	const options = useQuery({ ...query(payments.options), staleTime: 0 })
	if (options.data) return <AddMoneyForm request={request} options={options.data} />
	if (options.error)
		return (
			<LoadError
				message={messageOf(options.error, 'The payment could not be prepared. Please try again.')}
				reading={options}
			/>
		)
	return <Loader size="sm" m="32px auto" display="block" aria-label="Loading the amounts" />
}

interface AddMoneyFormProps {
	request: AddMoneyRequest
	options: PaymentOptions
}

function AddMoneyForm({ request, options }: AddMoneyFormProps) {
	const state = useAddMoneyForm({ request, options })
	const { form } = state
	useFocusAtOpening(() => form.getInputNode('amount'))
	const parts = partsOf(form.values.amount, options)
	return (
		<Form state={state}>
			<AmountField
				input={form.getInputProps('amount')}
				quick={options.presets}
				onChange={(typed) => form.setFieldValue('amount', typed)}
				description={`From ${formatRupees(options.min)} to ${formatRupees(options.max)}`}
			/>
			<div aria-live="polite">
				{parts && parts.tax > 0 && (
					<p>
						Add {formatRupees(parts.credit)} + {formatRupees(parts.tax)} GST = <b>{formatRupees(parts.total)}</b>
					</p>
				)}
				{parts && parts.settles > 0 && <p>{formatRupees(parts.settles)} of it settles what is owed.</p>}
			</div>
			{request.warning && <Notice tone="warn">{request.warning}</Notice>}
			<p className="quiet">
				You pay by UPI, card or net banking on our payment partner’s page, and come back here afterwards.
			</p>
			<FormButtons busyText="Opening the payment page...">
				{parts ? `Pay ${formatRupees(parts.total)}` : 'Pay'}
			</FormButtons>
		</Form>
	)
}

/** Focuses the input when the form appears in the dialog, which has then opened without it. */
function useFocusAtOpening(find: () => HTMLElement | null): void {
	const focus = useEffectEvent(() => find()?.focus({ preventScroll: true }))
	useEffect(() => focus(), [])
}

/** Returns the form that creates a payment and leaves for the provider's page. A repeated submission creates no second payment. */
function useAddMoneyForm({ request, options }: AddMoneyFormProps) {
	const [attempt, setAttempt] = useState({ amount: 0, requestId: newRequestId() })
	const navigate = useNavigate()
	const state = useSchemaForm<{ amount: string }, string | null>({
		initialValues: { amount: String(request.amount ?? firstAmount(options) ?? '') },
		schema: ({ amount }): Record<string, string> => {
			const message = amountProblem(amount, options)
			return message === null ? {} : { amount: message }
		},
		submit: async ({ amount: typed }) => {
			const amount = rupeesFromPaise(paiseFromRupees(typed) ?? 0)
			// Another amount is another payment.
			const isAgain = attempt.amount === 0 || attempt.amount === amount
			const { requestId } = isAgain ? attempt : { requestId: newRequestId() }
			setAttempt({ amount, requestId })
			const { payment } = await call(payments.create, { body: { amount, requestId, ...backTo(request.back) } })
			void invalidate(payments.list)
			if (payment.url === null) return payment._id
			await leaveTo(payment.url)
			return null
		},
		saved: async (id) => {
			closeAddMoney()
			// The provider has not answered yet. The payment's screen offers its page as soon as it has.
			if (id !== null) await navigate(paymentPath(id))
		},
		failed: (error) => {
			if (error.fields['amount']) return
			state.form.setFieldError('amount', messageOf(error, 'The payment could not be prepared. Please try again.'))
		},
	})
	return state
}

/** Returns the path to return to as a field of the request: the current screen by default, without a search that does not fit. */
function backTo(wanted: string | undefined): { back?: string } {
	const { pathname, search } = location
	const back = [wanted, pathname + search, pathname].find((path) => BackPath.safeParse(path).success)
	return back ? { back } : {}
}
