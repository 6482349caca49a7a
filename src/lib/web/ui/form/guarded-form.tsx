import { LeaveGuard } from '../feedback/leave-guard.tsx'
import { Form, type FormProps } from './form.tsx'

/** A `Form` that asks before the screen is left with something typed. */
export function GuardedForm<Values>({ children, ...rest }: FormProps<Values>) {
	const { form, busy } = rest.state
	return (
		<Form {...rest}>
			<LeaveGuard dirty={form.isDirty() && !busy} />
			{children}
		</Form>
	)
}
