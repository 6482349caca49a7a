import { Button } from '@mantine/core'
import { paymentPaths } from '#features/payments/paths.ts'
import { appConfig } from '#lib/web/app-config.ts'
import { Link } from '#lib/web/router/link.tsx'

/** Links to the online payments of all users; nothing where users cannot pay online. */
export function OnlinePaymentsLink() {
	if (!appConfig.addMoney) return null
	return (
		<Button component={Link} to={paymentPaths.all} variant="default">
			Online payments
		</Button>
	)
}
