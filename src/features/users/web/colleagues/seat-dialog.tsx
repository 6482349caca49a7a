import { NO_PROOF, ProofField } from '#features/auth/web/proof-field.tsx'
import { colleagues, SeatBody, type Colleague } from '#features/users/colleague-contract.ts'
import { isolate } from '#lib/text/bidi.ts'
import { call } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { GuardedForm } from '#lib/web/ui/form/guarded-form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { SeatField, type SeatValue } from './seat-field.tsx'

export function SeatDialog({ dialog }: { dialog: DialogFor<Colleague> }) {
	const { subject: colleague, close } = dialog
	return (
		<FormDialog dialog={dialog} title={`Role of ${isolate(colleague?.name ?? '')}`} size={520}>
			{colleague && <SeatForm colleague={colleague} onSaved={close} />}
		</FormDialog>
	)
}

function SeatForm({ colleague: { _id, seat }, onSaved }: { colleague: Colleague; onSaved: () => void }) {
	const initialValues: typeof NO_PROOF & SeatValue = { ...NO_PROOF, seat }
	const state = useSchemaForm({
		schema: SeatBody,
		initialValues,
		submit: (body) => call(colleagues.setSeat, { params: { id: _id }, body }),
		saved: async ({ message }) => {
			await invalidate(colleagues.list)
			toast.success(message)
			onSaved()
		},
		failed: (error) => toast.failure(error, 'Failed to change the role'),
	})
	const { form } = state
	return (
		<GuardedForm state={state}>
			<SeatField form={form} />
			<ProofField form={form} why="The colleague is signed out, and signs in again with the new role." />
			<FormButtons>Change role</FormButtons>
		</GuardedForm>
	)
}
