import { useQuery } from '@tanstack/react-query'
import { campaigns } from '#features/campaigns/contract.ts'
import { contacts } from '#features/contacts/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { query } from '#lib/web/query.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { useFirstContact } from '../use-estimate.ts'
import { chosenQuery } from '../use-templates.ts'

/** One message for all queries around the form's fields that failed; the template picker has its own. */
export function MissingCounts({ templateId }: { templateId: string }) {
	const readings = [
		useFirstContact(''),
		useQuery(query(contacts.groups, { query: { limit: 1000 } })),
		useQuery(query(campaigns.dashboard)),
		useQuery(query(wallet.balance)),
		useQuery({ ...chosenQuery(templateId), enabled: templateId !== '' }),
	]
	return <MissingPart message="Some of this page could not be loaded." readings={readings} />
}
