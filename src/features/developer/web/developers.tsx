import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { DeveloperCards } from './developer-cards.tsx'

/** Renders the page of the API keys and webhooks, which the settings show as a part. */
export function Developers() {
	return (
		<>
			<PageHeader title="Developers" hint="Let your online shop or ERP send messages and update contacts." />
			<DeveloperCards />
		</>
	)
}
