import { Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LowBalanceBody, wallet } from '#features/wallet/contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate, query } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { SubmitButton } from '#lib/web/ui/form/form-buttons.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'

/** Renders the form for the balance below which the user is warned. */
export function LowBalance() {
	const balance = useQuery(query(wallet.balance))
	const { data } = balance
	return (
		<Card
			narrow
			title="Low balance warning"
			hint="Below this balance, the amount at the top turns amber and you get one notification and one email. Enter 0 to turn the warning off."
		>
			<MissingPart message="The limit could not be loaded." readings={[balance]} />
			{data && <LowBalanceForm key={data.lowBalance} lowBalance={data.lowBalance} />}
		</Card>
	)
}

function LowBalanceForm({ lowBalance }: { lowBalance: number }) {
	const state = useSchemaForm({
		schema: LowBalanceBody,
		initialValues: { amount: String(lowBalance) },
		submit: async (body) => {
			const { message } = await call(wallet.setLowBalance, { body })
			toast.success(message)
			await invalidate(wallet.balance)
		},
		failed: (error) => toast.failure(error, 'Failed to save the low balance warning'),
	})
	return (
		<Form state={state}>
			<Group gap={8} align="flex-start">
				<TextInput
					{...state.form.getInputProps('amount')}
					aria-label="Warn me below this balance"
					inputMode="decimal"
					autoComplete="off"
					leftSection="₹"
				/>
				<SubmitButton variant="default" busyText="Saving..." miw={92}>
					Save
				</SubmitButton>
			</Group>
		</Form>
	)
}
