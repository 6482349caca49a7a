import { Anchor } from '@mantine/core'
import { useNavigate } from '#lib/web/router/hooks.ts'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { useLogout } from '../parts.tsx'
import { SetUpSecondFactor } from './set-up-second-factor.tsx'

/** Renders the page for an admin who must set up a second factor before anything else. */
export function RequiredSecondFactor() {
	const navigate = useNavigate()
	const logout = useLogout()
	return (
		<>
			<PageHeader
				title="Set up two-step login"
				hint="Administrators of this installation sign in with a code from an app as well as their password."
			/>
			<div className="stack">
				<SetUpSecondFactor onDone={() => void navigate('/', { replace: true })} />
				<Anchor component="button" type="button" onClick={() => void logout()} ta="center">
					Logout
				</Anchor>
			</div>
		</>
	)
}
