import { LeaveGuard } from '../feedback/leave-guard.tsx'
import { Form, type FormProps } from './form.tsx'

/** Renders a `Form` that asks before the user leaves with unsaved input. */
export function GuardedForm<Values>({ children, ...rest }: FormProps<Values>) {
	const { form, busy } = rest.state
	return (
		<Form {...rest}>
			<LeaveGuard dirty={form.isDirty() && !busy} />
			{children}
		</Form>
	)
}
