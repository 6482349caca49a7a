import { TextInput } from '@mantine/core'
import { NO_PROOF, ProofField } from '#features/auth/web/proof-field.tsx'
import { colleagues, InviteColleagueBody } from '#features/users/colleague-contract.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import { SeatField, type SeatValue } from './seat-field.tsx'

interface InviteDialogProps {
	dialog: { opened: boolean; close: () => void }
}

export function InviteDialog({ dialog }: InviteDialogProps) {
	return (
		<FormDialog dialog={dialog} title="Invite colleague" size={520}>
			<InviteForm onInvited={dialog.close} />
		</FormDialog>
	)
}

const FIRST_VALUES: typeof NO_PROOF & SeatValue & { name: string; email: string } = {
	...NO_PROOF,
	name: '',
	email: '',
	seat: 'agent',
}

function InviteForm({ onInvited }: { onInvited: () => void }) {
	const state = useSchemaForm({
		schema: InviteColleagueBody,
		initialValues: FIRST_VALUES,
		submit: (body) => call(colleagues.invite, { body }),
		saved: async ({ message }) => {
			await invalidate(colleagues.list)
			toast.success(message)
			onInvited()
		},
		failed: (error) => toast.failure(error, 'Failed to invite the colleague'),
	})
	const { form } = state
	return (
		<GuardedForm state={state}>
			<TextInput label="Full Name" autoComplete="off" required data-autofocus {...form.getInputProps('name')} />
			<TextInput
				label="Email Address"
				type="email"
				description="We email a link to choose a password. It is valid for three days."
				autoComplete="off"
				required
				{...form.getInputProps('email')}
			/>
			<SeatField form={form} />
			<ProofField form={form} why="A colleague works in your account, so we check that it is you." />
			<FormButtons>Invite</FormButtons>
		</GuardedForm>
	)
}
