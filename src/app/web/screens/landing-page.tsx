import { Button, Stack } from '@mantine/core'
import { authPaths } from '#features/auth/paths.ts'
import { Link } from '#lib/web/router/link.tsx'
import { useDocumentTitle } from '#lib/web/ui/layout/use-document-title.ts'
import { Brand } from '../shell/menu/brand.tsx'
import styles from './landing-page.module.css'

/** Renders the public page at `/` for guests, when the operator wants one. */
export function LandingPage() {
	useDocumentTitle('Welcome')
	return (
		<Stack component="main" mih="100dvh" py={24} px={16} ta="center" gap={8} align="center" justify="center">
			<Brand />
			<h1 className={styles.title}>Manage and send bulk messages</h1>
			<p className={styles.text}>Send one message to all your customers, in their own language and with their name.</p>
			<p className={styles.text}>Start a campaign now or at a time of your choice, and see who has read it.</p>
			<p className={styles.text}>Pay from a prepaid wallet in rupees, and only for messages that are sent.</p>
			<Button component={Link} to={authPaths.login} size="md" mt={16}>
				Sign in
			</Button>
		</Stack>
	)
}
