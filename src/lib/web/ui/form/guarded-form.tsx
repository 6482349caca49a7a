import type { SchemaForm } from '#lib/web/form.ts'
import { LeaveGuard } from '../feedback/leave-guard.tsx'
import { Form, type FormProps } from './form.tsx'

interface GuardedFormProps<Values> extends FormProps<Values> {
	state: FormProps<Values>['state'] & Pick<SchemaForm<Values>, 'isUnsaved'>
}

/** Renders a `Form` that asks before the user leaves with unsaved input. */
export function GuardedForm<Values>({ children, ...rest }: GuardedFormProps<Values>) {
	return (
		<Form {...rest}>
			<LeaveGuard dirty={rest.state.isUnsaved} />
			{children}
		</Form>
	)
}
